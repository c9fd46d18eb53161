import type { TokenizedRecord } from './scorer.ts'

/** Records by number, newest first. */
type Docs = Map<number, TokenizedRecord>

/** How many such parts of projects are kept, and the codes of the largest: at most 4 MiB in all. */
const MAX_ENTRIES = 8
const MAX_ENTRY_TOKENS = 1 << 17

/** The least recently asked for first. */
const kept = new Map<string, Docs>()

/** The records of that name as they were read last, or read now. A name says whose they are to see, and as of which commit. */
export async function recallScanned(name: string, read: () => Promise<Docs>): Promise<Docs> {
  const known = kept.get(name)
  const docs = known ?? (await read())
  if (known !== undefined) kept.delete(name)
  else if (sizeOf(docs) > MAX_ENTRY_TOKENS) return docs
  kept.set(name, docs)
  for (const oldest of kept.keys()) if (kept.size > MAX_ENTRIES) kept.delete(oldest)
  return docs
}

function sizeOf(docs: Docs): number {
  let codes = 0
  for (const doc of docs.values()) codes += doc.codes.length
  return codes
}
