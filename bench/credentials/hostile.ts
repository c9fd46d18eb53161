import { join } from 'node:path'
import { findCredentials } from '../../src/secrets/credentials.ts'
import { COMMANDS, CONTEXTS } from '../../src/secrets/detector/contexts.ts'
import { TOKENS } from '../../src/secrets/detector/token-search.ts'
import { readThreadTime } from '../stall/thread-time.ts'

/**
 * What repeated texts end with, behind a keyword of each rule: delimiters, open quotes, brackets and escapes, and what
 * may be a value.
 */
const BEHIND = [
  '',
  ' ',
  '=',
  ': ',
  '="',
  ' "a',
  '\n',
  '://a',
  '|\n',
  ', ',
  '\t',
  '\\"',
  '{"',
  '%20',
  "('",
  '</',
  ' is ',
  ' a1! ',
  '=a1B2c3',
  ' -u a',
  ' `',
  '.',
  '-',
  '(',
]
const NAMES = [
  'password',
  'pass',
  'pw',
  'passwort',
  'mot de passe',
  'パスワード',
  'secret',
  'token',
  'key',
  'auth',
  'api key',
  'code',
  'pin',
  '--password',
  'DB_PASSWORD',
  '?token',
]
const OTHERS = [
  `ghp_${'a'.repeat(36)} `,
  'fm1_/',
  'eyJa\n',
  'eyJaaaaaaaa.',
  'https://hooks.slack.com/services/T1/B1/aa ',
  '-----BEGIN PRIVATE KEY-----\n',
  `-----BEGIN PRIVATE KEY-----\n${'a'.repeat(16)}`,
  'authorization: bearer ',
  'cookie:',
  'password is a word or so and ',
  'password a1B2c3d4',
  'mysql a -u b ',
  `https://${'a'.repeat(200)}:`,
  'https://a:b1c2@x.y ',
  'a:b@',
  '\\\\\\"',
  '\\u005c',
  '%25',
  '&amp;',
  'QUJDREVGR0hJSktM',
  `${'QUJD'.repeat(16)}\n`,
  'a1B2',
  '1 ',
  'a,b\n',
]

const LENGTH = 65_536
/** All are tried at this length, and those that take longest at the other. */
const SHORT_LENGTH = 2_048
const [TRIED, SHOWN, ROUNDS] = [30, 10, 3]
/**
 * As long as a line of a session history may be, and longer than a record. Nothing in them is a keyword of many rules,
 * so that little but their length is work.
 */
const LONG_LENGTH = 2 ** 22
const LONG = [
  'a word or two of it and ',
  'aB3dE5fG7h',
  ' ',
  'a\\ ',
  '\\n',
  'a %',
  'ab1 cd2 ',
  `${'QUJDREVGR0hJSktM'.repeat(4)}\n`,
]
/** Pages that speak of much else than secrets. */
const ORDINARY = ['architecture.md', 'local-agent.md', 'search.md']
/** What is promised of a slice. */
const MAX_SLICE_MS = 25

/**
 * Prints what an ordinary text takes, and the hostile ones that take longest: a keyword of each rule, repeated with
 * what may stand behind it. Times are the processor's: of the whole search, and of the longest turn of the event loop.
 * Returns whether each turn was as short as is promised.
 */
export async function measureHostile(): Promise<boolean> {
  const rules = [...TOKENS, ...CONTEXTS].map(([, keywords]) => keywords)
  const keywords = [...rules, ...COMMANDS.map(([programs]) => programs)].map((all) => all.split('|')[0] ?? '')
  const pieces = [
    ...[...new Set([...keywords, ...NAMES])].flatMap((keyword) => BEHIND.map((behind) => keyword + behind)),
    ...OTHERS,
  ]
  const short: { piece: string; total: number }[] = []
  for (const piece of pieces) short.push({ piece, total: (await measure(repeat(piece, SHORT_LENGTH))).total })
  const documentation = await Promise.all(
    ORDINARY.map((name) => Bun.file(join(import.meta.dir, '../../docs', name)).text()),
  )
  const ordinary = await measureOften(documentation.join('').slice(0, LENGTH))
  console.log(`64 KiB of documentation: ${ordinary.total.toFixed(1)} ms of the processor`)
  const measured: { piece: string; total: number; slice: number }[] = []
  for (const { piece } of short.sort((a, b) => b.total - a.total).slice(0, TRIED)) {
    measured.push({ piece, ...(await measureOften(repeat(piece, LENGTH))) })
  }
  console.log(
    `hostile texts of 64 KiB, the worst of ${pieces.length}: milliseconds of the processor in all, and in one turn`,
  )
  for (const one of measured.toSorted((a, b) => b.total - a.total).slice(0, SHOWN)) console.log(toRow(one))
  console.log(`lines of ${LONG_LENGTH / 2 ** 20} MiB:`)
  for (const piece of LONG) {
    const { total, slice } = await measureOften(repeat(piece, LONG_LENGTH))
    measured.push({ piece, total, slice })
    console.log(toRow({ piece, total, slice }))
  }
  return measured.every(({ slice }) => slice <= MAX_SLICE_MS)
}

const toRow = ({ piece, total, slice }: { piece: string; total: number; slice: number }) =>
  `  ${JSON.stringify(piece.slice(0, 40)).padEnd(44)} ${total.toFixed(0).padStart(5)} ${slice.toFixed(1).padStart(5)}`

const repeat = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

/** The shortest times of some rounds. */
async function measureOften(text: string): Promise<{ total: number; slice: number }> {
  const rounds: { total: number; slice: number }[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(text))
  return { total: Math.min(...rounds.map(({ total }) => total)), slice: Math.min(...rounds.map(({ slice }) => slice)) }
}

async function measure(text: string): Promise<{ total: number; slice: number }> {
  const startedAt = readThreadTime()
  let [last, slice, isOver] = [startedAt, 0, false]
  const turn = () => {
    const now = readThreadTime()
    slice = Math.max(slice, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await findCredentials(text)
  const total = readThreadTime() - startedAt
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  return { total, slice }
}
