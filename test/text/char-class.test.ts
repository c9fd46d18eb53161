import { expect, test } from 'bun:test'
import { charClassOf } from '../../src/text/char-class.ts'

test('every unit of the ranges of ideographs and syllables has the class that is given for them', () => {
  const ranges: [number, number, RegExp][] = [
    [0x3400, 0x4dc0, /\p{Script=Han}/u],
    [0x4e00, 0xa000, /\p{Script=Han}/u],
    [0xac00, 0xd7a4, /\p{Script=Hangul}/u],
  ]
  for (const [from, to, script] of ranges) {
    for (let code = from; code < to; code++) expect(script.test(String.fromCharCode(code))).toBe(true)
    expect(charClassOf(from)).toBe(charClassOf(to - 1))
  }
})
