import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type Note, type Question, type Rank, toShares } from '../wordings/set.ts'
import { lookUp } from './measure.ts'
import { type Peer, type Place, type Running, TOP } from './peer.ts'

/** Ways in which the notes were asked for, with the ranks of the questions' notes. */
export type Ways = { name: string; ranks: Rank[] }[]

type WordingsSet = { notes: Note[]; questions: Question[] }
type Ask = (running: Running, client: Client, question: Question) => Promise<string[]>

/** Ways to ask, each with more of what an assistant can give. */
const WAYS: [name: string, ask: Ask][] = [
  ['the question', (running, client, { question }) => running.ask(client, question)],
  ['words of an assistant', (running, client, { question, query = question }) => askOrLookUp(running, client, query)],
  ['with other wordings', askInWordings],
]

/**
 * Saves the notes of a set of wordings in a program and asks for them in other words than theirs, then again on a
 * second home with the phrases of `asked_as`. A program without such arguments is asked in each wording, and has the
 * phrases at the end of the text.
 */
export async function measureWordings(
  peer: Peer,
  { installed, home }: Place,
  set: WordingsSet,
  signal: AbortSignal,
): Promise<Ways> {
  const runOn = async (name: string, withPhrases: boolean) => {
    await mkdir(join(home, name))
    return run(await peer.prepare({ installed, home: join(home, name) }), set, signal, withPhrases)
  }
  return [...(await runOn('plain', false)), ...(await runOn('phrased', true))]
}

async function run(
  start: () => Promise<Running>,
  set: WordingsSet,
  signal: AbortSignal,
  withPhrases: boolean,
): Promise<Ways> {
  const running = await start()
  signal.addEventListener('abort', () => void running.stop(), { once: true })
  try {
    const client = await running.connect()
    const saved = new Map<string | null, string>()
    for (const note of set.notes) saved.set(note.id, await saveNote(running, client, note, withPhrases))
    const ways: Ways = []
    for (const [name, ask] of withPhrases ? WAYS.slice(-1) : WAYS) {
      const ranks: Rank[] = []
      for (const question of set.questions.filter(({ note }) => note !== null)) {
        const found = await ask(running, client, question)
        const at = found.slice(0, TOP).indexOf(saved.get(question.note) ?? '')
        ranks.push({ kind: question.kind, rank: at < 0 ? Number.POSITIVE_INFINITY : at })
      }
      ways.push({ name: withPhrases ? `${name} and phrases` : name, ranks })
    }
    return ways
  } finally {
    await running.stop()
  }
}

/** Returns the text as it is found again; a note that a program refuses is not. */
async function saveNote(
  running: Running,
  client: Client,
  { text, asked_as = [] }: Note,
  withPhrases: boolean,
): Promise<string> {
  const whole = withPhrases && running.wordings === undefined ? `${text} (${asked_as.join('; ')})` : text
  const saved =
    withPhrases && running.wordings !== undefined
      ? running.wordings.save(client, text, asked_as)
      : running.save(client, whole)
  await saved.catch((error: Error) => console.error(`not saved: ${text}: ${error.message.slice(0, 100)}`))
  return whole
}

/** As an assistant does that gets no answer: once more with single words. */
async function askOrLookUp(running: Running, client: Client, query: string): Promise<string[]> {
  const found = await running.ask(client, query)
  return found.length > 0 ? found : lookUp(running, client, query)
}

/**
 * With a program that takes one wording at a time, the results of all are taken in turn: the first of each, then the
 * second.
 */
async function askInWordings(
  running: Running,
  client: Client,
  { question, query = question, also = [] }: Question,
): Promise<string[]> {
  if (running.wordings !== undefined) return running.wordings.ask(client, query, also)
  const lists: string[][] = []
  for (const wording of [query, ...also]) lists.push(await askOrLookUp(running, client, wording))
  const inTurn = Array.from({ length: TOP }, (_, place) => lists.flatMap((list) => list.slice(place, place + 1))).flat()
  return [...new Set(inTurn)]
}

/** A line for each program and way, as it stands in the documentation. */
export function toWordingsMarkdown(rows: { name: string; ways: Ways }[]): string {
  const head = ['', 'asked by', 'same words', 'partly', 'no shared word', 'all']
  const lines = rows.flatMap(({ name, ways }) =>
    ways.map(({ name: way, ranks }) => [name, way, ...toShares(ranks, TOP)]),
  )
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
