// How many of the suggestions made from sessions deserve to be kept, by lists that were written with the sessions.
//   bun bench/suggestions.ts [DIR, default bench/suggestions/sessions] [FIRST] [LAST]
// DIR has files NN.json { folder, turns: [{ role, text }], keep: [{ turn, quote }] }, in the order in which the sessions took place. Those from FIRST to LAST count.
// A suggestion deserves it if it overlaps a listed quote of its turn. Prints numbers only. The sessions in the default folder were written for this project, and the signal was tuned on them: judge by others.
// It was also tuned on 90 sessions of 23 people, where 55 of 62 suggestions deserved it. In sessions that nobody had read for that, 33 of 37 did (60 sessions), and 20 of 47 where as many sentences only sound as if they last (40 sessions).
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findQuotes, MAX_SUGGESTED, selectQuotes } from '../src/history/suggestions/quotes.ts'

type Listed = { turn: number; quote: string }
type Written = { folder: string; turns: { role: string; text: string }[]; keep: Listed[] }

const [dir = join(import.meta.dir, 'suggestions/sessions'), first = '0', last = '99999'] = process.argv.slice(2)
const MIN_OVERLAP = 12

/** Whether two passages of one text overlap: one holds the other, or the end of one is the beginning of the other. */
function overlap(one: string, other: string): boolean {
  if (one.includes(other) || other.includes(one)) return true
  const isContinued = (from: string, to: string) => {
    for (let length = Math.min(from.length, to.length); length >= MIN_OVERLAP; length--)
      if (from.endsWith(to.slice(0, length))) return true
    return false
  }
  return isContinued(one, other) || isContinued(other, one)
}

const known = new Map<string, string[]>()
let [sessions, listed, found, made, deserving] = [0, 0, 0, 0, 0]
for (const name of readdirSync(dir)
  .filter((one) => /^\d+\.json$/.test(one))
  .sort()) {
  const number = Number(name.slice(0, -'.json'.length))
  if (number < Number(first) || number > Number(last)) continue
  const { folder, turns, keep }: Written = await Bun.file(join(dir, name)).json()
  const prompts = turns.flatMap(({ role, text }, line) => (role === 'user' ? [{ line, text }] : []))
  const before = known.get(folder) ?? []
  const suggested = await selectQuotes(await findQuotes(prompts), { known: before, limit: MAX_SUGGESTED })
  known.set(folder, [...before, ...suggested.map(({ terms }) => terms)])
  const hits = (one: { line: number; text: string }) =>
    keep.filter(({ turn, quote }) => turn === one.line && overlap(one.text, quote))
  sessions += 1
  listed += keep.length
  made += suggested.length
  deserving += suggested.filter((one) => hits(one).length > 0).length
  found += new Set(suggested.flatMap(hits)).size
}
console.log(`${sessions} sessions, ${listed} things to keep, ${found} of them suggested`)
console.log(`${made} suggested, ${deserving} of them deserve it`)
