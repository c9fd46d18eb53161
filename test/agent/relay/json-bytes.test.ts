import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findMembers, findString, findWholeObject, textOf } from '../../../src/agent/relay/json-bytes.ts'

const find = (text: string, names: string[]) => {
  const bytes = Buffer.from(text)
  return findMembers(bytes, findWholeObject(bytes), names).map((span) => span && textOf(bytes, span))
}

const isAscii = (text: string) => [...text].every((character) => character < '\u0080')

test('finds members as JSON.parse does, in any object', () => {
  const name = fc.oneof(fc.constantFrom('id', 'method', 'params', '__proto__', ''), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (object, indent) => {
      const text = JSON.stringify(object, null, indent)
      const names = [...Object.keys(object).filter(isAscii), 'nowhere']
      const expected = names.map((one) => (Object.hasOwn(object, one) ? JSON.stringify(object[one]) : undefined))
      expect(find(text, names).map((value) => value && JSON.stringify(JSON.parse(value)))).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['{"a":1,"a":2}', '2'],
  ['{"\\u0061":[1,{"a":2}]}', '[1,{"a":2}]'],
  ['{"b":"\\"a\\":1","a":"\\\\"}', '"\\\\"'],
  ['\r\n {\t"a" : -1.50E+3 , "b":null}  ', '-1.50E+3'],
  ['{"b":{"a":1}}', undefined],
  ['[{"a":1}]', undefined],
  ['"a"', undefined],
  ['', undefined],
])('finds in %j the text %j', (text, value) => {
  expect(find(text, ['a'])).toEqual([value])
})

test('a text that is cut off anywhere, or goes on after its end, is no whole object', () => {
  const text = '{"a":[1,"]}\\"",{"b":null}],"c":{"d":"é"}}'
  for (let end = 0; end < text.length; end++) expect(findWholeObject(Buffer.from(text.slice(0, end)))).toBeUndefined()
  expect(findWholeObject(Buffer.from(`${text} \n`))).toEqual({ start: 0, end: Buffer.byteLength(text) })
  expect(findWholeObject(Buffer.from(`${text}{}`))).toBeUndefined()
})

test('never throws, whatever the bytes', () => {
  const bits = fc
    .array(fc.constantFrom(...'{}[]":,\\ \nu0a1-é'.split('')), { maxLength: 40 })
    .map((all) => all.join(''))
  fc.assert(
    fc.property(bits, (text) => {
      const bytes = Buffer.from(`{${text}`)
      const [span] = findMembers(bytes, { start: 0, end: bytes.length }, ['a'])
      expect(findString(bytes, span) === undefined || typeof findString(bytes, span) === 'string').toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
