import { expect, test } from 'bun:test'
import { toOneLine, toSize } from '../../../src/commands/terminal/text.ts'

test('a size is told in the largest unit that is not larger than it', () => {
  expect([0, 1, 1_023, 1_024, 1_536, 64 * 2 ** 30, 2 ** 51].map(toSize)).toEqual([
    '0 B',
    '1 B',
    '1023 B',
    '1.0 KiB',
    '1.5 KiB',
    '64.0 GiB',
    '2048.0 TiB',
  ])
})

test('a text of which one line shows only the beginning ends in dots, whatever blanks it has', () => {
  expect(['a  b', 'abcdefg', 'a         z', '         z', ''].map((text) => toOneLine(text, 4))).toEqual([
    'a b',
    'abcd…',
    'a…',
    '…',
    '',
  ])
})
