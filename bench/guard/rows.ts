import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Row = { text: string; attack: boolean; kind: string; source: string; group: string; license: string; lang: string }

const PERMISSIVE_LICENSE = /^(?:derived:)?(?:MIT|Apache-2\.0|CC0-1\.0|CC-BY-[34]\.0|authored)(?: \([^)]*\).*)?$/

/** Whether the license of the row allows the shipped weights to be trained on it. */
export const isPermissive = (row: Row) => PERMISSIVE_LICENSE.test(row.license)

/** The rows of `dev.jsonl` in a folder. Related sources are one group. */
export function readRows(folder: string): Row[] {
  const lines = readFileSync(join(folder, 'dev.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const row = JSON.parse(line) as Omit<Row, 'attack' | 'group'> & { label: string }
    return { ...row, attack: row.label === 'attack', group: toGroup(row.source) }
  })
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

/** Assigns groups to parts, the largest first, each to the part with the fewest rows so far. */
export function deal(rows: Row[], parts: number): (row: Row) => number {
  const sizes = new Map<string, number>()
  for (const row of rows) sizes.set(row.group, (sizes.get(row.group) ?? 0) + (row.attack ? 6 : 1))
  const loads: number[] = new Array(parts).fill(0)
  const partOf = new Map<string, number>()
  for (const [group, size] of [...sizes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
    const part = loads.indexOf(Math.min(...loads))
    partOf.set(group, part)
    loads[part] = (loads[part] ?? 0) + size
  }
  return (row) => partOf.get(row.group) ?? 0
}
