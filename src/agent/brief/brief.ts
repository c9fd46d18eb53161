import type { ServiceClient } from '../service-client.ts'
import { type BriefRecord, searchFresh } from './records.ts'
import { FRAME, fitLines, toRecordLine } from './render.ts'
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
 * The brief of a workspace: verified records first, then those saved or refreshed last, of the workspace and then of `default`, without stale ones.
 * Deterministic for the same data.
 *
 * @param maxLength of the text, in UTF-16 units.
 * @returns undefined if there are no records.
 * @throws ServiceError if the service cannot be called.
 */
export async function makeBrief(
  client: ServiceClient,
  workspace: string,
  maxLength: number,
  timeoutMs: number,
): Promise<Brief | undefined> {
  const records = await findRecords(client, workspace, timeoutMs)
  const lines = records.map((record) => toRecordLine(record, workspace))
  const head = `Project memory of workspace "${workspace}" (memsvc). ${FRAME}`
  const foot = `The memsvc tool \`search\` finds more; save what is decided with \`remember\`. Use workspace "${workspace}" with both.`
  const text = fitLines(head, lines, foot, maxLength)
  return text === undefined ? undefined : { text, ids: records.filter((_, at) => text.includes(lines[at] ?? '')).map(({ id }) => id) }
}

async function findRecords(client: ServiceClient, workspace: string, timeoutMs: number): Promise<BriefRecord[]> {
  const workspaces = [...new Set([workspace, DEFAULT_WORKSPACE])]
  const list = (more: { status?: string }) =>
    workspaces.map((one) => searchFresh(client, { query: '*', workspace: one, limit: MAX_RECORDS, ...more }, timeoutMs))
  const found = (await Promise.all([...list({ status: 'verified' }), ...list({})])).flat()
  return [...new Map(found.map((record) => [record.id, record])).values()]
}
