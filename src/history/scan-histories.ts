import { redactLine } from '../secrets/redact.ts'
import type { BlockLine, HistorySource } from '../store/history.ts'
import type { HistoryStore } from '../store/history-verbs.ts'
import { packBlock, unpackBlock } from './blocks.ts'
import { toTerms } from './suggestions/alike.ts'
import { MAX_SUGGESTED } from './suggestions/quotes.ts'

const BATCH_BLOCKS = 50
const BATCH_SOURCES = 50

/** Number of credentials by kind, with dashes for blanks. */
export type CredentialCounts = Record<string, number>

/**
 * Counts the credentials in all session histories of a project: in lines, suggestions, titles, folders, branches and
 * versions. With `isMasking`, `[REDACTED:<kind>]` takes the place of each, as in an upload. May be interrupted and called
 * again.
 */
export async function scanHistories(store: HistoryStore, isMasking: boolean): Promise<CredentialCounts> {
  const counts: CredentialCounts = {}
  // A masked block is replaced by one with a larger id, which is then searched in its turn.
  for (let after = 0; ; ) {
    const batch = await store.listBlocks({ after, limit: BATCH_BLOCKS })
    for (const id of batch) addCounts(counts, await scanBlock(store, id, isMasking))
    if (batch.length < BATCH_BLOCKS) break
    after = batch.at(-1) ?? after
  }
  for (let afterId: string | undefined; ; ) {
    const batch = await store.listAllSources({ afterId, limit: BATCH_SOURCES })
    for (const source of batch) {
      addCounts(counts, await scanSource(store, source, isMasking))
      addCounts(counts, await scanSuggestions(store, source, isMasking))
    }
    if (batch.length < BATCH_SOURCES) return counts
    afterId = batch.at(-1)?.id
  }
}

function addCounts(to: CredentialCounts, counts: CredentialCounts): void {
  for (const [kind, count] of Object.entries(counts)) to[kind] = (to[kind] ?? 0) + count
}

async function scanBlock(store: HistoryStore, id: number, isMasking: boolean): Promise<CredentialCounts> {
  const [lines, block] = [await store.listLinesOfBlock(id), await store.findBlock(id)]
  const counts: CredentialCounts = {}
  if (block === undefined) return counts
  const text = await unpackBlock(block)
  const masked: (BlockLine & { text: Uint8Array })[] = []
  for (const line of lines) {
    const redacted = await redactLine(Buffer.from(text.subarray(line.at, line.at + line.length)).toString())
    addCounts(counts, redacted.counts)
    masked.push({ ...line, text: Buffer.from(redacted.line) })
  }
  if (!isMasking || Object.keys(counts).length === 0) return counts
  const packed = await packBlock(block.sourceId, masked)
  const isReplaced = await store.write(async (tx) => {
    const now = await tx.listLinesOfBlock(id)
    if (now.length !== lines.length) return false
    await tx.replaceBlock(id, packed.block, packed.places)
    await tx.dropPassages(block.sourceId, 1)
    return true
  })
  // What was erased meanwhile must not return.
  return isReplaced ? counts : scanBlock(store, id, isMasking)
}

async function scanSuggestions(store: HistoryStore, { id }: HistorySource, isMasking: boolean) {
  const counts: CredentialCounts = {}
  for (const suggestion of await store.listSuggestions({ of: { sourceId: id }, limit: MAX_SUGGESTED })) {
    const { line: text, counts: found } = await redactLine(suggestion.text)
    if (text === suggestion.text) continue
    addCounts(counts, found)
    if (isMasking) await store.write((tx) => tx.updateSuggestion(suggestion.id, { text, terms: toTerms(text) }))
  }
  return counts
}

const FACTS = ['title', 'cwd', 'gitBranch', 'appVersion'] as const

async function scanSource(store: HistoryStore, source: HistorySource, isMasking: boolean): Promise<CredentialCounts> {
  const counts: CredentialCounts = {}
  const masked: Partial<Pick<HistorySource, (typeof FACTS)[number]>> = {}
  for (const name of FACTS) {
    const redacted = await redactLine(source[name] ?? '')
    if (redacted.line === (source[name] ?? '')) continue
    addCounts(counts, redacted.counts)
    masked[name] = redacted.line
  }
  if (!isMasking || Object.keys(masked).length === 0) return counts
  const isMasked = await store.write(async (tx) => {
    const now = await tx.findSource({ id: source.id })
    if (now === undefined || FACTS.some((name) => now[name] !== source[name])) return false
    await tx.updateSource(source.id, masked)
    await tx.dropPassages(source.id, 1)
    return true
  })
  if (isMasked) return counts
  // What was erased meanwhile must not return, and what was changed is searched anew.
  const now = await store.findSource({ id: source.id })
  return now === undefined ? {} : scanSource(store, now, isMasking)
}
