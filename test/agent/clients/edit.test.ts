import { expect, test } from 'bun:test'
import { editSlot } from '../../../src/agent/clients/formats/edit.ts'
import type { FormatName, Slot } from '../../../src/agent/clients/formats/settings.ts'

const slot: Slot = { path: ['servers', 'memsvc'] }
const item: Slot = { path: ['servers'], isOurs: (value) => (value as { name?: string }).name === 'memsvc' }
const entry = { command: '/opt/memsvc', args: ['agent'] }

/** Files that an edit and its removal leave as they were, byte for byte. */
const FILES: [FormatName, string, string][] = [
  ['json', 'comments and a comma at the end', '{\n  // kept\n  "theme": "dark", // beside\n}\n'],
  ['json', 'a comment after the last value', '{\n  "servers": {\n    "other": {} // why\n  }\n}\n'],
  ['json', 'tabs and line ends of Windows', '{\r\n\t"servers": {\r\n\t\t"other": { "url": "x" }\r\n\t}\r\n}\r\n'],
  ['json', 'a byte order mark', '\uFEFF{\n  "a": 1\n}\n'],
  [
    'toml',
    'comments, blanks and arrays over lines',
    '# top\nmodel = "x"  # kept\n\n[servers.other] # beside\nargs = [ "a",\n  "b" ]\n\n[[list]]\na = 1\n',
  ],
  ['yaml', 'comments and quotes', '# top\nname: \'x\' # kept\nservers:\n  other:\n    url: "y"\n'],
]

test.each(FILES)('an edit of %s with %s changes nothing else', (format, _, text) => {
  const edited = editSlot(format, text, slot, entry)
  for (const line of text.split('\n').filter((line) => /#|\/\//.test(line)))
    expect(edited).toContain(line.replace(/,? *(#|\/\/).*$/, ''))
  expect(editSlot(format, edited, slot, entry)).toBe(edited)
  expect(editSlot(format, edited, slot, undefined)).toBe(text)
})

test('comments stay with the values that they stand beside', () => {
  expect(editSlot('json', '{\n  "a": 1, // of a\n}\n', slot, entry)).toStartWith('{\n  "a": 1, // of a\n  "servers": {')
  expect(editSlot('json', '{\n  "a": 1 // of a\n}\n', slot, entry)).toStartWith('{\n  "a": 1, // of a\n  "servers": {')
})

test('a new table of TOML is a section at the end', () => {
  expect(editSlot('toml', 'a = 1\n', slot, entry)).toBe(
    'a = 1\n\n[servers.memsvc]\ncommand = "/opt/memsvc"\nargs = [ "agent" ]\n',
  )
})

test('an entry that was edited by hand is replaced', () => {
  const text = editSlot('toml', '[servers.memsvc]\ncommand = "/old"\n\n[other]\na = 1\n', slot, entry)
  expect(Bun.TOML.parse(text)).toEqual({ servers: { memsvc: entry }, other: { a: 1 } })
})

test('one item of a list is ours', () => {
  const text = 'servers:\n  - name: other # kept\n'
  const edited = editSlot('yaml', text, item, { name: 'memsvc', ...entry })
  expect(Bun.YAML.parse(edited)).toEqual({ servers: [{ name: 'other' }, { name: 'memsvc', ...entry }] })
  expect(editSlot('yaml', edited, item, undefined)).toBe(text)
})

test('empty objects and lists around what is taken out go with it', () => {
  const edited = editSlot('json', '{\n  "a": 1\n}\n', { ...item, path: ['hooks', 'Stop'] }, { name: 'memsvc' })
  expect(JSON.parse(edited)).toEqual({ a: 1, hooks: { Stop: [{ name: 'memsvc' }] } })
  expect(editSlot('json', edited, { ...item, path: ['hooks', 'Stop'] }, undefined)).toBe('{\n  "a": 1\n}\n')
})

test.each([
  ['json', '{ "a": 1'],
  ['json', '{ "a": 1 }}'],
  ['json', '{ "a": 1 } { "b": 2 }'],
  ['json', "{ 'a': 1 }"],
  ['json', '[]'],
  ['json', '{"servers": {}, "servers": {"memsvc": 1}}'],
  ['json', '{"servers": "none"}'],
  ['toml', 'a = = 1'],
  ['toml', 'servers = 1'],
  ['yaml', 'a: [1'],
] satisfies [FormatName, string][])('%s that cannot be edited safely is refused: %s', (format, text) => {
  expect(() => editSlot(format, text, slot, entry)).toThrow(/cannot be|something else/)
})
