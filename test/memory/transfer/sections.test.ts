import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { toFilePlace, toSections } from '../../../src/memory/transfer/sections.ts'

const sections = (text: string, maxBytes = 1000, title?: string) =>
  toSections(text, { title, maxBytes }).map(({ content }) => content)

test('a place in a section is found in the file', () => {
  const text = '# A\n\n  one\ntwo\n## B\nthree\n\nfour\n'
  const parts = toSections(text, { title: undefined, maxBytes: 1000, firstLine: 4 })
  const places = parts.map((part) => [1, 3, 4].map((line) => toFilePlace(part, { line, column: 2 })))
  expect(places).toEqual([
    ['in a heading above line 6', 'line 6, column 4', 'line 7, column 2'],
    ['in a heading above line 9', 'line 9, column 2', 'line 10, column 2'],
  ])
})

test('a section stands under all its headings; a heading without text makes none', () => {
  const text = '# Deploy\n\n## Region\nFrankfurt\n\n### Why\nLatency\n\n## Owner\nAda\n'
  expect(sections(text)).toEqual([
    'Deploy › Region\n\nFrankfurt',
    'Deploy › Region › Why\n\nLatency',
    'Deploy › Owner\n\nAda',
  ])
})

test('a title heads what has no heading, and is not said twice', () => {
  expect(sections('Just text', 1000, 'Notes')).toEqual(['Notes\n\nJust text'])
  expect(sections('# Notes\nText', 1000, 'Notes')).toEqual(['Notes\n\nText'])
})

test('a heading inside code is no heading', () => {
  expect(sections('# A\n```sh\n# make it\n```\n')).toEqual(['A\n\n```sh\n# make it\n```'])
})

test('a heading in a list, a quote or HTML is no heading of the note; one is underlined, too', () => {
  const text = '- # a\n\n> # b\n\n<div>\n# c\n</div>\n\nUnder *lined*\n===\r\nText\n'
  expect(sections(text)).toEqual(['- # a\n\n> # b\n\n<div>\n# c\n</div>', 'Under *lined*\n\nText'])
})

test('a section that is too large comes in parts of whole blocks, each under its headings', () => {
  const [one, two, three] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)]
  expect(sections(`# H\n\n${one}\n\n${two}\n\n${three}`, 90)).toEqual([`H\n\n${one}\n\n${two}`, `H\n\n${three}`])
})

test('no part is larger than allowed, and no character is lost or broken', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('wörd ', '日本', '🗾', '\n\n', 'x'.repeat(50)), { maxLength: 60 }),
      (pieces) => {
        const text = pieces.join('')
        const parts = sections(text, 64)
        const letters = (some: string) => some.replace(/\s/g, '')
        expect(parts.every((part) => Buffer.byteLength(part) <= 64 && part.isWellFormed())).toBe(true)
        expect(letters(parts.join(''))).toBe(letters(text))
      },
    ),
  )
})
