import type { ServiceClient } from '../service-client.ts'
import { type BriefRecord, EVERY_WORKSPACE, searchFresh } from './records.ts'
import { countFitting, FRAME, toRecordLine, toSaveAdvice } from './render.ts'
import { DEFAULT_WORKSPACE } from './workspace.ts'

export const USUAL_BRIEF_LENGTH = 6_000
export const MIN_BRIEF_LENGTH = 1_000
/** Clients truncate longer texts. */
export const MAX_BRIEF_LENGTH = 10_000

/** More would not fit into a brief. */
const MAX_RECORDS = 50

/** What a session should know at its start; `ids` are the records contained in `text`. */
export type Brief = { text: string; ids: string[] }

/**
 * The brief of a folder: verified records first, then those saved or refreshed last, of its workspace and then of all, without stale ones. Deterministic for
 * the same data. For an empty project it only says how to search and save.
 *
 * @param workspace the folder's own; undefined if it has none.
 * @param maxLength of the text, in UTF-16 units.
 * @throws ServiceError if the service cannot be called, or refuses.
 */
export async function makeBrief(
  client: ServiceClient,
  workspace: string | undefined,
  maxLength: number,
  timeoutMs: number,
): Promise<Brief> {
  const home = workspace ?? DEFAULT_WORKSPACE
  const records = await findRecords(client, home, timeoutMs)
  const foot = `Find more with the memsvc tool \`search\`, workspace "${EVERY_WORKSPACE}". Save what is decided with \`remember\`, ${toSaveAdvice(workspace)}.`
  if (records.length === 0) return { text: `Project memory (memsvc): nothing is saved yet.\n${foot}`, ids: [] }
  const head = `Project memory (memsvc). ${FRAME}`
  const lines = records.map((record) => toRecordLine(record, home))
  const count = countFitting(lines, maxLength - head.length - foot.length - 1)
  return { text: [head, ...lines.slice(0, count), foot].join('\n'), ids: records.slice(0, count).map(({ id }) => id) }
}

async function findRecords(client: ServiceClient, home: string, timeoutMs: number): Promise<BriefRecord[]> {
  const list = (more: { status?: string }) =>
    [home, EVERY_WORKSPACE].map((workspace) => searchFresh(client, { query: '*', workspace, limit: MAX_RECORDS, ...more }, timeoutMs))
  const found = (await Promise.all([...list({ status: 'verified' }), ...list({})])).flatMap((records) => records ?? [])
  return [...new Map(found.map((record) => [record.id, record])).values()]
}
