import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Row = {
  text: string
  attack: boolean
  kind: string
  source: string
  group: string
  license: string
  lang: string
}

/** A harmless text of others, under a licence that allows to ship it and what was learned from it. */
export type HarmlessRow = { text: string; lang: string; source: string }

/**
 * A note or an attack that somebody wrote for the guard without seeing its rules or the texts of others. `family` is
 * the domain of a note.
 */
export type WrittenRow = { text: string; attack: boolean; writer: string; family: string; lang: string }

const PERMISSIVE_LICENSE = /^(?:derived:)?(?:MIT|Apache-2\.0|CC0-1\.0|CC-BY-[34]\.0|authored)(?: \([^)]*\).*)?$/

/** Whether the license of the row allows the shipped weights to be trained on it. */
export const isPermissive = (row: Row) => PERMISSIVE_LICENSE.test(row.license)

const CORPUS = join(import.meta.dir, 'corpus')

const readLines = <T>(text: string): T[] =>
  text.trim() === ''
    ? []
    : text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as T)
const unpack = (file: string) => Buffer.from(Bun.zstdDecompressSync(readFileSync(file))).toString('utf8')

/** The rows of `dev.jsonl` in a folder. Related sources are one group. */
export function readRows(folder: string): Row[] {
  return readLines<Omit<Row, 'attack' | 'group'> & { label: string }>(
    readFileSync(join(folder, 'dev.jsonl'), 'utf8'),
  ).map((row) => ({
    ...row,
    attack: row.label === 'attack',
    group: toGroup(row.source),
  }))
}

export const readHarmless = () => readLines<HarmlessRow>(unpack(join(CORPUS, 'harmless.jsonl.zst')))

export const readWritten = () => readLines<WrittenRow>(unpack(join(CORPUS, 'written.jsonl.zst')))

/**
 * The files of notes and attacks in a folder, by whether their names contain `-test-`. A row without a writer is of the
 * one that ends the name of its file.
 */
export function readWriters(folder: string, isTest: boolean): WrittenRow[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter(
    (name) => /^(notes|attacks)-.*\.jsonl$/.test(name) && name.includes('-test-') === isTest,
  )
  return files.sort().flatMap((name) =>
    readLines<Omit<WrittenRow, 'attack' | 'writer'> & { writer?: string; domain?: string }>(
      readFileSync(join(folder, name), 'utf8'),
    ).map(({ text, writer, family, domain, lang }) => ({
      text,
      attack: name.startsWith('attacks'),
      writer: writer ?? name.replace(/^.*-|\.jsonl$/g, ''),
      family: family ?? domain ?? '',
      lang,
    })),
  )
}

const toGroup = (source: string) =>
  /^(?:garak\/|obf\/)/.test(source)
    ? source
    : source
        .replace(/[/!].*$/, '')
        .replace(
          /-(?:agents|changelog|code|commits|i18n|docs|tests|contrib|obs|fence|adr|wrap|en|hi|minutes|contributors|dev|zh|exercises)(?=-|$)/g,
          '',
        )
