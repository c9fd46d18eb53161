import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findCredentials, maskCredentials } from '../src/secrets/credentials.ts'
import { generateTokens } from './credentials/generate.ts'
import { type Counts, toGroupRows } from './credentials/groups.ts'
import { measureHostile } from './credentials/hostile.ts'

// What the search for credentials finds, what it refuses for nothing, and what it costs: `bun bench/credentials.ts
// [FILE…]`.
//
// First, tokens that are generated from the table of rules, in four contexts each. Then two lists that were written
// without sight of the rules, of secrets by kind and of texts that only look like one: `dev.jsonl`, by whose misses the
// rules were mended, and `held-out.jsonl`, if it is there, which is counted alone. `--misses` prints those of the
// first. Then the share of the texts of each FILE that is refused, each printed for a person to judge: JSON lines with
// `content` or `text` (of lines with a `label` only the benign ones count), or a set of search questions
// (`projects[].docs[].text`). Then hostile texts of 64 KiB (`credentials/hostile.ts`).

const SAMPLES = 20

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

/** What stands around a secret, in the order of the columns that are printed. */
const CONTEXTS: Record<string, (secret: string) => string> = {
  sentence: (secret) => `The one for staging is ${secret}, rotate it in spring.`,
  line: (secret) => `export VALUE="${secret}"`,
  json: (secret) => JSON.stringify({ arguments: JSON.stringify({ cmd: `echo ${secret}\n` }) }),
  base64: (secret) => `blob: ${Buffer.from(`a note with ${secret} in it`).toString('base64')}`,
}

async function countGenerated(): Promise<void> {
  const missed = new Map<string, number>()
  let [found, all] = [0, 0]
  for (const { kind, token } of generateTokens(SAMPLES))
    for (const [context, place] of Object.entries(CONTEXTS)) {
      all += 1
      const isFound = (await findCredentials(place(token))).length > 0
      if (isFound) found += 1
      else missed.set(`${kind}, ${context}`, (missed.get(`${kind}, ${context}`) ?? 0) + 1)
    }
  console.log(`generated from the table: ${found} of ${all} found (${percent(found, all)})`)
  for (const [kind, count] of [...missed].filter(([, count]) => count > 1)) console.log(`  ${kind}: ${count} missed`)
}

/**
 * Lines of a list: look-alikes have no `secret`; a secret whose `form` is false can only be told by who understands the
 * text.
 */
type Listed = { text: string; kind: string; secret: string | boolean | null; form?: boolean }
async function countListed(name: string, showsMisses: boolean): Promise<void> {
  const file = join(import.meta.dir, 'credentials', name)
  if (!existsSync(file)) return
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const byKind = new Map<string, Counts>()
  const groups = {
    'secrets with a form': new Map(byKind),
    'secrets without a form': new Map(byKind),
    'look-alikes': new Map(byKind),
  }
  for (const { text, kind, secret, form = true } of lines.map((line) => JSON.parse(line) as Listed)) {
    const group = groups[!secret ? 'look-alikes' : form ? 'secrets with a form' : 'secrets without a form']
    const counts = group.get(kind) ?? { found: 0, all: 0 }
    group.set(kind, counts)
    counts.all += 1
    // A secret that is only found in part would still be read behind a mask.
    const isFound =
      (await findCredentials(text)).length > 0 &&
      (typeof secret !== 'string' || !(await maskCredentials(text)).includes(secret))
    if (isFound) counts.found += 1
    if (showsMisses && isFound === !secret) console.log(`  ${kind}: ${JSON.stringify(text)}`)
  }
  for (const [group, kinds] of Object.entries(groups)) {
    const [found, all] = [...kinds.values()].reduce(([sum, total], one) => [sum + one.found, total + one.all], [0, 0])
    console.log(`${name}: ${found} of ${all} ${group} of ${kinds.size} kinds found (${percent(found, all)})`)
    const partly = [...kinds].filter(([, one]) => (group === 'look-alikes' ? one.found > 0 : one.found < one.all))
    for (const [kind, one] of partly.sort(([x], [y]) => (x < y ? -1 : 1)))
      console.log(`  ${kind}: ${one.found} of ${one.all}`)
  }
  console.log(toGroupRows(groups['secrets with a form']).join('\n'))
}

type Line = { content?: string; text?: string; label?: string }
type Set = { projects: { docs: { text: string }[] }[] }

function readTexts(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.json'))
    return (JSON.parse(text) as Set).projects.flatMap(({ docs }) => docs.map((doc) => doc.text))
  const lines = text.split('\n').filter((line) => line !== '')
  const parsed = lines.map((line) => JSON.parse(line) as Line)
  return parsed
    .filter(({ label = 'benign' }) => label === 'benign')
    .map(({ content, text: other }) => content ?? other ?? '')
}

async function measureFile(file: string): Promise<void> {
  const texts = readTexts(file)
  let refused = 0
  const before = process.cpuUsage()
  for (const text of texts) {
    const [found] = await findCredentials(text)
    if (found === undefined) continue
    refused += 1
    console.log(`  ${found.kind}: ${JSON.stringify(text.slice(Math.max(0, found.start - 60), found.end + 20))}`)
  }
  const microseconds = process.cpuUsage(before).user / texts.length
  const share = ((100 * refused) / texts.length).toFixed(3)
  console.log(
    `${basename(file)}: ${refused} of ${texts.length} refused (${share} %), ${microseconds.toFixed(1)} µs of the processor a text`,
  )
}

const words = process.argv.slice(2)
await countGenerated()
await countListed('dev.jsonl', words.includes('--misses'))
await countListed('held-out.jsonl', false)
for (const file of words.filter((word) => word !== '--misses')) await measureFile(file)
if (!(await measureHostile())) process.exitCode = 1
