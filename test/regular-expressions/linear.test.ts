import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readThreadTime } from '../../bench/stall/thread-time.ts'
import { type Attack, findPumps } from './attacks.ts'
import { findLiterals } from './literals.ts'

const SRC = join(import.meta.dir, '../../src')
/** What reads texts of strangers: files of a repository, histories, records. */
const FOLDERS = ['agent', 'guard', 'secrets', 'transcripts']

/** Every pump is tried on a text of the first length, and those that took longest on one of the second. */
const [SHORT_LENGTH, LONG_LENGTH] = [8_000, 200_000]
const [HARDEST, TRIES] = [3, 5]
/** A search that ends within this time is quick enough, however its time grows. */
const MAX_MS = 25
/**
 * Eight times the text takes a linear search eight times as long, and a quadratic one 64 times: the ratio is judged,
 * since a busy machine makes each search slower.
 */
const [GROWTH, MAX_TIMES] = [8, 20]
/** The first matches of an expression that others may have a turn between. */
const MAX_MATCHES = 200

for (const folder of FOLDERS)
  test(`every regular expression of ${folder} takes linear time, or its search is done in slices`, async () => {
    const files = [...new Bun.Glob('**/*.ts').scanSync(join(SRC, folder))].map((file) => join(SRC, folder, file))
    const expressions = [...(await readLiterals(files)), ...(await readConstructed(files))]
    expect(expressions).not.toBeEmpty()
    expect(expressions.flatMap(findSlow)).toEqual([])
  })

async function readLiterals(files: string[]): Promise<RegExp[]> {
  return (await Promise.all(files.map(async (file) => findLiterals(await Bun.file(file).text())))).flat()
}

async function readConstructed(files: string[]): Promise<RegExp[]> {
  const constructing = await Promise.all(
    files.map(async (file) => (/\bRegExp\(/.test(await Bun.file(file).text()) ? [file] : [])),
  )
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'constructed.ts'), ...constructing.flat()], {
    stdout: 'pipe',
  })
  const made = JSON.parse(await child.stdout.text()) as [source: string, flags: string][]
  return made.map(([source, flags]) => new RegExp(source, flags))
}

/** The expression with the texts that it takes too long for. */
function findSlow(expression: RegExp): string[] {
  const timed = findPumps(expression).map((attack) => ({ ...attack, ms: timeOf(expression, attack, SHORT_LENGTH) }))
  const hardest = timed.sort((a, b) => b.ms - a.ms).slice(0, HARDEST)
  return hardest
    .filter((attack) => isSlow(expression, attack, SHORT_LENGTH) || isSlow(expression, attack, LONG_LENGTH))
    .map(({ before, pump }) => `${expression} ${JSON.stringify(before)} ${JSON.stringify(pump)} ×`)
}

/** Whether a search takes long, and grows faster than its text. */
function isSlow(expression: RegExp, attack: Attack, length: number): boolean {
  const ms = bestTimeOf(expression, attack, length)
  return ms > MAX_MS && ms > MAX_TIMES * bestTimeOf(expression, attack, length / GROWTH)
}

/** The shortest of some tries: others may have met a collection of garbage. */
function bestTimeOf(expression: RegExp, attack: Attack, length: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && best > MAX_MS / GROWTH / GROWTH; tries++)
    best = Math.min(best, timeOf(expression, attack, length))
  return best
}

/** The longest search for one match, in milliseconds of the processor. */
function timeOf(expression: RegExp, { before, pump }: Attack, length: number): number {
  const text = `${before}${pump.repeat(Math.ceil(length / pump.length))}\0`
  let longest = 0
  expression.lastIndex = 0
  for (let matches = 0; matches < MAX_MATCHES; matches++) {
    const start = readThreadTime()
    const match = expression.exec(text)
    longest = Math.max(longest, readThreadTime() - start)
    if (match === null || !expression.global) break
    if (match[0] === '') expression.lastIndex += 1
  }
  return longest
}
