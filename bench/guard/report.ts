import type { Verdict } from '../../src/guard/verdict.ts'

/** A text that was judged, and what it is listed by. */
export type Judged = { attack: boolean; family: string; lang: string; writer: string; verdict: Verdict['verdict'] }

/** Texts of a group that a line is printed for; fewer say little. */
const MIN_TEXTS = 10

/**
 * Prints how many texts are refused, and how many refused or marked: of attacks and of harmless texts, of all, by
 * family or domain, by language and by writer.
 */
export function printTables(name: string, judged: Judged[]): void {
  console.log(`\n# ${name}`)
  for (const attack of [true, false]) {
    const rows = judged.filter((row) => row.attack === attack)
    if (rows.length === 0) continue
    printGroups(attack ? 'ATTACKS' : 'HARMLESS', rows, () => 'all')
    printGroups(attack ? 'by family' : 'by domain', rows, ({ family }) => family)
    printGroups('by language', rows, ({ lang }) => lang)
    printGroups('by writer', rows, ({ writer }) => writer)
  }
}

function printGroups(title: string, rows: Judged[], toGroup: (row: Judged) => string): void {
  const groups = Map.groupBy(rows, toGroup)
  if (groups.size === 1 && toGroup(rows[0] as Judged) === '') return
  console.log(`## ${title}`)
  const rate = (some: Judged[], all: Judged[]) => `${((100 * some.length) / all.length).toFixed(2).padStart(6)} %`
  for (const [group, all] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
    const refused = all.filter(({ verdict }) => verdict === 'refused')
    const noticed = all.filter(({ verdict }) => verdict !== 'clean')
    if (all.length >= MIN_TEXTS)
      console.log(
        group.padEnd(24),
        `${rate(refused, all)} refused ${rate(noticed, all)} refused or marked, of ${all.length}`,
      )
  }
}
