import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Dataset, readDataset } from '../../bench/peers/dataset.ts'
import { type Measured, measure } from '../../bench/peers/measure.ts'
import { type Peer, toName } from '../../bench/peers/peer.ts'
import { toMemsvc } from '../../bench/peers/programs/memsvc.ts'
import { type Report, toFigures, toJson, toLeftOut, toMarkdown } from '../../bench/peers/report.ts'
import { makeFolder } from '../run-cli.ts'

const SOURCE = [process.execPath, join(import.meta.dir, '../../src/main.ts')]

const DATASET: Dataset = {
  notes: [
    { id: '1', language: 'en', text: 'The harbour crane is serviced every March' },
    { id: '2', language: 'en', text: 'Lunch is at noon' },
  ],
  questions: [{ answers: ['1'], language: 'en', keywords: 'crane', question: 'When is the crane serviced?' }],
}

test('every question of the set has notes that answer it, and no two notes have one name', () => {
  const { notes, questions } = readDataset()
  const ids = new Set(notes.map(({ id }) => id))
  expect(ids.size).toBe(notes.length)
  expect(new Set(notes.map(({ text }) => toName(text))).size).toBe(notes.length)
  expect(questions.flatMap(({ answers }) => answers).filter((id) => !ids.has(id))).toEqual([])
  expect(questions.filter(({ keywords, question }) => keywords === '' || question === '')).toEqual([])
})

test('the set is large enough, and a quarter of it is in other languages', () => {
  const { notes, questions } = readDataset()
  const languages = new Set(questions.map(({ language }) => language))
  expect(notes.length).toBeGreaterThanOrEqual(200)
  expect(questions.length).toBeGreaterThanOrEqual(100)
  expect(questions.filter(({ language }) => language !== 'en').length).toBeGreaterThanOrEqual(25)
  for (const language of ['zh', 'ja', 'de', 'es', 'tr', 'ar']) expect(languages).toContain(language)
})

test('a program that keeps and finds everything is measured as such', async () => {
  const steps: string[] = []
  const task = { ...DATASET, ticks: () => performance.now(), step: (name: string) => void steps.push(name) }
  const place = { installed: '', home: await makeFolder() }
  const measured = await measure(toMemsvc(SOURCE), place, task, new AbortController().signal)
  expect(measured).toMatchObject({
    notesKept: 2,
    answered: { en: 1 },
    lookedUp: 1,
    oneAssistant: { acknowledged: 20, kept: 20 },
    fourAssistants: { acknowledged: 20, kept: 20 },
  })
  for (const value of [
    measured.startMs,
    measured.toolBytes,
    measured.answerBytes,
    measured.save.p50,
    measured.search.p99,
  ])
    expect(value).toBeGreaterThan(0)
  expect(steps).toEqual(['saving', 'asking', 'looking up', 'saving at once', 'starting again'])
})

const MEASURED: Measured = {
  notesKept: 2,
  answered: { en: 1 },
  lookedUp: 0,
  oneAssistant: { acknowledged: 20, kept: 1 },
  fourAssistants: { acknowledged: 5, kept: 5 },
  save: { p50: 1.234, p99: 20 },
  search: { p50: 0.5, p99: 123 },
  startMs: 99.6,
  memoryMib: null,
  toolBytes: 2_048,
  answerBytes: 1_023,
}
const OTHER: Peer = {
  name: 'other',
  package: { name: '@a/other', version: '1.2.3', by: 'npm' },
  use: 'asked',
  prepare: () => Promise.reject(new Error('')),
}
const REPORT: Report = {
  version: '1.2.3',
  at: Date.UTC(2026, 0, 15),
  machine: { system: 'Linux 6', processor: 'A', cores: 2, memoryGib: 8 },
  isInMemory: false,
  seconds: 1,
  dataset: DATASET,
  rows: [
    { peer: OTHER, installedMib: 12.3, measured: MEASURED, reason: undefined },
    { peer: { ...OTHER, name: 'broken' }, installedMib: null, measured: undefined, reason: 'not installed: no' },
  ],
}

test('the report tells saves that were lost from saves that were refused, and why a program was not measured', () => {
  const markdown = toMarkdown(REPORT)
  expect(markdown).toContain('| other | 2 | 1 | 1 | 0 | 0 | 1, 19 lost | 5, 15 refused |')
  expect(markdown).toContain('| other | 1.23 | 20.0 | 0.50 | 123 | 100 | - | 2048 | 256 | 12 |')
  expect(markdown).toContain('- **other** (`@a/other` 1.2.3, by npm): asked.')
  expect(markdown).toContain('- broken: not installed: no.')
  expect(toLeftOut(REPORT)[0]).toEqual({ name: 'broken', reason: 'not installed: no' })
})

test('a program that was not measured has no bar in the picture, and no figures in JSON', () => {
  expect(toFigures(REPORT).map(({ name }) => name)).not.toContain('broken')
  expect(toFigures(REPORT).find(({ group }) => group.startsWith('Questions'))).toMatchObject({
    name: 'other',
    value: 1,
  })
  expect(toJson(REPORT).programs.map(({ name, measured }) => [name, measured !== null])).toEqual([
    ['other', true],
    ['broken', false],
  ])
})
