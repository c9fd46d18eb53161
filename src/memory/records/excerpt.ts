import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead, StoredRecord, Visible } from '../../store/record.ts'
import { endBefore } from './sentence-ends.ts'

/**
 * Maximum total length of the contents in one answer of a tool, in UTF-16 code units. An answer is JSON inside a JSON
 * string, in which a unit takes at most 13 bytes, so contents take at most 312 000 bytes.
 */
export const MAX_ANSWER_CHARACTERS = 24_000
/** Maximum number of entries of a list in an answer of a tool. */
export const MAX_LISTED = 100

/** A content as an answer shows it; `excerpt`: it is only a part of the record's content. */
type Excerpt = { content: string; excerpt?: true }

/** Returns at most `length` UTF-16 code units of an entry's content, which is longer than that. */
type Shorten<Entry> = (entry: Entry, length: number) => string

/** Contents, those of more than `limit` UTF-16 code units shortened to at most `length`. */
export async function cutLong<Entry extends { content: string }>(
  entries: Entry[],
  limit: number,
  length: number,
  shorten: Shorten<Entry>,
): Promise<Excerpt[]> {
  const shown: Excerpt[] = []
  for (const entry of entries) {
    const isWhole = entry.content.length <= limit
    if (!isWhole) await yieldIfDue()
    shown.push(isWhole ? { content: entry.content } : { content: copy(shorten(entry, length)), excerpt: true })
  }
  return shown
}

/**
 * Shortens contents to at most `room` UTF-16 code units in total. Shares are fair: short contents stay whole, and the
 * longest ones are cut to a common length.
 */
export async function shareRoom<Entry extends { content: string }>(
  entries: Entry[],
  room: number,
  shorten: Shorten<Entry>,
): Promise<Excerpt[]> {
  const share = fairShare(
    entries.map(({ content }) => content.length),
    room,
  )
  return cutLong(entries, share, share, shorten)
}

/** A copy that does not keep the text it was sliced from in memory; excerpts stay in the cache of answers. */
const copy = (text: string): string => structuredClone(text)

/**
 * The common length to which contents of these lengths are cut so that they fit into `room`; infinite if they fit
 * uncut.
 */
function fairShare(lengths: number[], room: number): number {
  const rising = lengths.toSorted((a, b) => a - b)
  let left = room
  for (const [at, length] of rising.entries()) {
    const share = Math.floor(left / (rising.length - at))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

/** Records read at once, which is about 0.5 MB with the largest contents. */
const BATCH_RECORDS = 8

/**
 * Contents of records by id, in at most `room` UTF-16 code units in total; longer ones are cut to their beginnings. A
 * record that was forgotten since its head was read is missing.
 */
export async function readExcerpts(
  project: Pick<ProjectReads, 'findRecordsBySeq'>,
  visible: Visible,
  heads: Pick<RecordHead, 'seq'>[],
  room: number,
): Promise<Map<string, Excerpt>> {
  const found: Pick<StoredRecord, 'id' | 'content'>[] = []
  for (let at = 0; at < heads.length; at += BATCH_RECORDS) {
    const seqs = heads.slice(at, at + BATCH_RECORDS).map(({ seq }) => seq)
    for (const { id, content } of await project.findRecordsBySeq(visible, seqs)) {
      // One unit more than an answer may have, so that shareRoom can tell that the content is longer.
      found.push({ id, content: content.slice(0, MAX_ANSWER_CHARACTERS + 1) })
    }
  }
  const shared = await shareRoom(found, room, ({ content }, length) => content.slice(0, endBefore(content, 0, length)))
  return new Map(found.map(({ id }, at) => [id, shared[at] ?? { content: '', excerpt: true }]))
}
