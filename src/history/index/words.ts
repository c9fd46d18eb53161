import type { HistorySource } from '../../store/history.ts'
import { analyzeInSlices } from '../../text/analyzer.ts'
import { findActions } from '../../transcripts/actions.ts'
import type { Assistant, TranscriptLine } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { findSavedRecords } from '../../transcripts/saved-records.ts'

/** Characters of a line that are indexed: of a longer prompt, such as a pasted log, the beginning. */
const MAX_INDEXED_CHARACTERS = 8_000
/** Paths of one line that are indexed, and the last folders of each by which it is found. */
const MAX_PATHS = 20
const MAX_FOLDERS = 8

/** The word of a term: a hash of 32 bits that differs from owner to owner. */
export const toWord = (ownerId: string, term: string): number => Bun.hash.xxHash32(`${ownerId}\n${term}`)

/** What the name of a file, and the id of a record, begins with as a term; no term of a text contains it. */
const FILE = 'file\n'
const RECORD = 'record\n'

/** The word by which lines are found that touched a file: of its path, or the end of that. */
export const toFileWord = (ownerId: string, path: string): number =>
  toWord(ownerId, FILE + toFolders(path).slice(-MAX_FOLDERS).join('/'))

/** The word by which the line is found that has the answer to the save of a record. */
export const toRecordWord = (ownerId: string, id: string): number => toWord(ownerId, RECORD + id)

function toFolders(path: string): string[] {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((name) => name !== '' && name !== '.')
}

/** The words of a text, each as often as it has a term that gives it. */
export async function toWords(ownerId: string, text: string): Promise<number[]> {
  const { terms } = await analyzeInSlices(text.slice(0, MAX_INDEXED_CHARACTERS))
  return terms === '' ? [] : terms.split(' ').map((term) => toWord(ownerId, term))
}

/**
 * What a line is found by: a prompt, what the assistant said, commands and paths of the tools that it called, or the
 * ids of records that a tool saved.
 */
type Findable = { kind: 'prompt' | 'answer' | 'call' | 'result'; text: string; paths: string[]; records: string[] }

const toFindableText = (kind: Findable['kind'], text: string, paths: string[] = []): Findable => ({
  kind,
  text,
  paths,
  records: [],
})

/**
 * What a line of a session is found by: a person's prompt, what the assistant said, the commands and paths of its
 * calls, or, of their results, the ids of saved records alone. Undefined for any other line.
 */
export function toFindable(
  { assistant }: Pick<HistorySource, 'assistant'>,
  parsed: TranscriptLine | undefined,
): Findable | undefined {
  const format = FORMATS.get(assistant as Assistant)
  if (parsed === undefined || format === undefined) return undefined
  const turn = format.turnOf(parsed)
  if (turn === undefined) {
    const entry = format.toEntry(parsed)
    const records = entry?.role === 'tool' ? findSavedRecords(entry.text) : []
    if (records.length > 0) return { ...toFindableText('result', ''), records }
    // Programs also write lines with the role of the user, which begin with a tag.
    const isPrompt = entry?.role === 'user' && !/^\s*</.test(entry.text)
    return isPrompt ? toFindableText('prompt', entry.text) : undefined
  }
  if (turn.calls.length === 0) return turn.text === '' ? undefined : toFindableText('answer', turn.text)
  const { commands, paths } = findActions(turn.calls)
  const named = [...new Set(paths)].slice(0, MAX_PATHS)
  return toFindableText('call', [...commands, ...named].join('\n'), named)
}

/** The words of what a line is found by. */
export async function toLineWords(ownerId: string, { text, paths, records }: Findable): Promise<number[]> {
  const files = paths.flatMap((path) => {
    const folders = toFolders(path).slice(-MAX_FOLDERS)
    return folders.map((_, at) => toFileWord(ownerId, folders.slice(at).join('/')))
  })
  const saved = records.map((id) => toRecordWord(ownerId, id))
  return [...new Set([...(await toWords(ownerId, text)), ...files, ...saved])]
}
