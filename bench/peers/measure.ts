import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { percentile } from '../../src/commands/bench/calls.ts'
import { makeUpTexts } from '../../src/commands/bench/texts.ts'
import type { Note, Question } from './dataset.ts'
import { readTreeMemory } from './memory.ts'
import { type Peer, type Place, type Running, TOP } from './peer.ts'

/** Of twenty saves, how many were answered as done, and how many of those are there after another start. */
export type Kept = { acknowledged: number; kept: number }

/** What was measured of one program. Times are in milliseconds; a start is the median of three. */
export type Measured = {
  /**
   * Notes of the data set that are there after they were saved: fewer than all, and its answers are not to be compared.
   */
  notesKept: number
  /** Questions of which a note that answers them was among the first five, by the language's code. */
  answered: Record<string, number>
  /** The same with key words in place of the questions, of all languages. */
  lookedUp: number
  oneAssistant: Kept
  fourAssistants: Kept
  save: { p50: number; p99: number }
  search: { p50: number; p99: number }
  startMs: number
  memoryMib: number | null
  toolBytes: number
  /** Bytes of text that a question is answered with, on average. */
  answerBytes: number
}

export type Task = { notes: Note[]; questions: Question[]; ticks: () => number; step: (name: string) => void }

export const SAVES_AT_ONCE = 20
const ASSISTANTS = 4

/**
 * Does the whole task with one program, on a new home. Whatever it started has ended when this resolves or rejects;
 * `signal` ends it early.
 */
export async function measure(peer: Peer, place: Place, task: Task, signal: AbortSignal): Promise<Measured> {
  const prepared = await peer.prepare(place)
  const start = async () => {
    signal.throwIfAborted()
    const running = await prepared()
    signal.addEventListener('abort', () => void running.stop(), { once: true })
    // It may have ended while the program started; then nobody would hear of it any more.
    if (signal.aborted) await running.stop()
    return running
  }
  const { note } = makeUpTexts()
  const [ofOne, ofFour] = [Array.from({ length: SAVES_AT_ONCE }, note), Array.from({ length: SAVES_AT_ONCE }, note)]
  const { value } = await during(start, task, (running, client) => work(running, client, task, ofOne))
  task.step('starting again')
  const second = await during(start, task, (running, client) => countThere(running, client, value.saved))
  const third = await during(start, task, (running, client) => saveByFour(running, client, ofFour))
  const fourth = await during(start, task, (running, client) => countThere(running, client, third.value))
  const startMs = percentile(
    [second, third, fourth].map((one) => one.startMs),
    0.5,
  )
  return {
    ...value.measured,
    oneAssistant: { acknowledged: value.saved.length, kept: second.value },
    fourAssistants: { acknowledged: third.value.length, kept: fourth.value },
    startMs,
  }
}

/** Starts a program, and ends it after its use. Times the start until an assistant has the list of its tools. */
async function during<Of>(
  start: () => Promise<Running>,
  { ticks }: Task,
  use: (running: Running, client: Client) => Promise<Of>,
) {
  const began = ticks()
  const running = await start()
  try {
    const client = await running.connect()
    await client.listTools()
    const startMs = ticks() - began
    return { startMs, value: await use(running, client) }
  } finally {
    await running.stop()
  }
}

/** Saves the notes one by one, asks, and saves twenty more at once. Returns which of these were acknowledged, too. */
async function work(running: Running, client: Client, task: Task, atOnce: string[]) {
  const toolBytes = Buffer.byteLength(JSON.stringify((await client.listTools()).tools))
  task.step('saving')
  const times = await saveNotes(running, client, task)
  const notesKept = await countThere(
    running,
    client,
    task.notes.map(({ text }) => text),
  )
  task.step('asking')
  const asked = await askQuestions(running, client, task)
  task.step('looking up')
  const lookedUp = await countLookedUp(running, client, task)
  task.step('saving at once')
  const saved = await saveAll(atOnce, (text) => running.save(client, text))
  const memoryMib = readTreeMemory(running.pids())
  const { answered, answerBytes } = asked
  return {
    measured: {
      notesKept,
      answered,
      answerBytes,
      lookedUp,
      memoryMib,
      toolBytes,
      save: toTimes(times),
      search: toTimes(asked.times),
    },
    saved,
  }
}

const toTimes = (times: number[]) => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) })

/** Saves the notes, each after the answer to the one before; a program may refuse some. Returns how long each took. */
async function saveNotes(running: Running, client: Client, { notes, ticks }: Task): Promise<number[]> {
  const times: number[] = []
  for (const { text } of notes) {
    const began = ticks()
    await running.save(client, text).catch(() => {})
    times.push(ticks() - began)
  }
  return times
}

async function askQuestions(running: Running, client: Client, task: Task) {
  const times: number[] = []
  const answered: Record<string, number> = {}
  const read = countBytes(client)
  for (const asked of task.questions) {
    const began = task.ticks()
    const found = await running.ask(client, asked.question)
    times.push(task.ticks() - began)
    answered[asked.language] = (answered[asked.language] ?? 0) + (isAnswered(asked, found, task.notes) ? 1 : 0)
  }
  return { times, answered, answerBytes: read() / task.questions.length }
}

/** Counts the bytes of text in the answers to calls from now on. */
function countBytes(client: Client): () => number {
  let bytes = 0
  const call = client.callTool.bind(client)
  client.callTool = async (...args) => {
    const result = await call(...args)
    for (const block of result.content as { text?: string }[]) bytes += Buffer.byteLength(block.text ?? '')
    return result
  }
  return () => bytes
}

function isAnswered({ answers }: Question, found: string[], notes: Note[]): boolean {
  const wanted = new Set(notes.filter(({ id }) => answers.includes(id)).map(({ text }) => text))
  return found.slice(0, TOP).some((text) => wanted.has(text))
}

async function countLookedUp(running: Running, client: Client, task: Task): Promise<number> {
  let count = 0
  for (const asked of task.questions)
    if (isAnswered(asked, await lookUp(running, client, asked.keywords), task.notes)) count++
  return count
}

/** As an assistant does that gets no answer: once more with each of the words alone, the longest first. */
export async function lookUp(running: Running, client: Client, keywords: string): Promise<string[]> {
  const words = keywords.split(' ')
  const attempts = words.length === 1 ? words : [keywords, ...words.toSorted((a, b) => b.length - a.length)]
  for (const attempt of attempts) {
    const found = await running.lookUp(client, attempt)
    if (found.length > 0) return found
  }
  return []
}

/** Saves by four assistants at once. Returns what was acknowledged. */
async function saveByFour(running: Running, first: Client, texts: string[]): Promise<string[]> {
  const others = await Promise.all(Array.from({ length: ASSISTANTS - 1 }, () => running.connect()))
  const assistants = [first, ...others]
  return saveAll(texts, (text, at) => running.save(assistants[at % ASSISTANTS] ?? first, text))
}

/** Saves without waiting for an answer before the next. Returns the texts that were acknowledged. */
async function saveAll(texts: string[], save: (text: string, at: number) => Promise<void>): Promise<string[]> {
  const settled = await Promise.allSettled(texts.map(save))
  return texts.filter((_, at) => settled[at]?.status === 'fulfilled')
}

async function countThere(running: Running, client: Client, texts: string[]): Promise<number> {
  let there = 0
  for (const text of texts) if (await running.has(client, text)) there++
  return there
}
