import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { findCredentials } from '../src/secrets/credentials.ts'

// What share of ordinary texts is refused for a credential, and what the search costs: `bun bench/credentials.ts FILE…`.
// A file is JSON lines with `content` or `text` (of lines with a `label` only the benign ones count), or a set of search questions (`projects[].docs[].text`).
// Every refused text is printed, so that a person may judge it. Then, of hostile texts of 64 KiB, how long others wait and how long the search takes, in
// milliseconds, the shortest of some rounds: a wait above 25 is one too long.

const ROUNDS = 5
const LENGTH = 65_536

type Line = { content?: string; text?: string; label?: string }
type Set = { projects: { docs: { text: string }[] }[] }

function readTexts(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.json')) return (JSON.parse(text) as Set).projects.flatMap(({ docs }) => docs.map((doc) => doc.text))
  const lines = text.split('\n').filter((line) => line !== '')
  const parsed = lines.map((line) => JSON.parse(line) as Line)
  return parsed.filter(({ label = 'benign' }) => label === 'benign').map(({ content, text: other }) => content ?? other ?? '')
}

async function measureFile(file: string): Promise<void> {
  const texts = readTexts(file)
  let refused = 0
  let took = 0
  for (const text of texts) {
    const startedAt = performance.now()
    const [found] = await findCredentials(text)
    took += performance.now() - startedAt
    if (found === undefined) continue
    refused += 1
    console.log(`  ${found.kind}: ${JSON.stringify(text.slice(Math.max(0, found.start - 60), found.end + 20))}`)
  }
  const share = ((100 * refused) / texts.length).toFixed(3)
  console.log(`${basename(file)}: ${refused} of ${texts.length} refused (${share} %), ${(took / texts.length).toFixed(3)} ms a text`)
}

const HOSTILE: Record<string, string> = {
  'installation tokens, cut': 'ghs_1_aaaaaaaaa.aaaa-',
  'tokens without end': `ghp_${'a'.repeat(36)} `,
  'web hooks': 'https://hooks.slack.com/services/T1/B1/aa ',
  'first lines of keys': '-----BEGIN PRIVATE KEY-----\n',
  'keys without end': `-----BEGIN PRIVATE KEY-----\n${'a'.repeat(16)}`,
  headers: 'authorization: bearer ',
  'URLs, cut': `https://${'a'.repeat(200)}:`,
  'URLs with passwords': 'https://a:b1c2@x.y ',
  'digits and letters': 'a1B2',
  prose: 'The deploy region is eu-west-1, see https://example.org/docs. ',
}

async function measureHostile(name: string, piece: string): Promise<void> {
  const text = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
  let [wait, took] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    const watch = watchLoop()
    const startedAt = performance.now()
    await findCredentials(text)
    took = Math.min(took, performance.now() - startedAt)
    wait = Math.min(wait, await watch())
  }
  console.log(`${name.padEnd(26)} ${wait.toFixed(1).padStart(6)} ${took.toFixed(1).padStart(6)}`)
}

/** Measures the longest turn of the event loop until the returned function is called. */
function watchLoop(): () => Promise<number> {
  let last = performance.now()
  let longest = 0
  let isStopped = false
  const turn = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    if (!isStopped) setImmediate(turn)
  }
  setImmediate(turn)
  return async () => {
    await new Promise((resolve) => setImmediate(resolve))
    isStopped = true
    return longest
  }
}

for (const file of process.argv.slice(2)) await measureFile(file)
for (const [name, piece] of Object.entries(HOSTILE)) await measureHostile(name, piece)
