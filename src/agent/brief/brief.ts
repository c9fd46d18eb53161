import type { ServiceClient } from '../service-client.ts'
import { type BriefRecord, EVERY_WORKSPACE, hasRecords, searchFresh } from './records.ts'
import { countFitting, FRAME, toRecordLine, toSaveAdvice } from './render.ts'
import { DEFAULT_WORKSPACE } from './workspace.ts'

export const USUAL_BRIEF_LENGTH = 6_000
export const MIN_BRIEF_LENGTH = 1_000
/** Clients truncate longer texts. */
export const MAX_BRIEF_LENGTH = 10_000

/** More would not fit into a brief. */
const MAX_RECORDS = 50

const NOTHING_TO_TELL =
  'what is saved is out of date, or waits for a person because it reads like an instruction; none of it is told here.'

/**
 * What a session should know at its start; `ids` are the records contained in `text`, and `latest` is the time of the
 * last save that was found, or empty.
 */
type Brief = { text: string; ids: string[]; latest: string }

/**
 * The brief of a folder: verified records first, then those saved or refreshed last, of its workspace and then of all,
 * without stale and marked ones. Deterministic for the same data. Where there is none, it says why, and how to search
 * and save.
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
  const foot = toFoot(workspace)
  if (records.length === 0) {
    const state = (await hasRecords(client, timeoutMs)) ? NOTHING_TO_TELL : 'nothing is saved yet.'
    return { text: `Project memory (memsvc): ${state}\n${foot}`, ids: [], latest: '' }
  }
  return toBrief(records, { head: `Project memory (memsvc). ${FRAME}`, foot, home, maxLength })
}

/**
 * What was saved since a session was told its last brief, in the form of a brief; undefined if nothing was.
 *
 * @param before `ids`: records that the session was told of in any brief; `latest`: time of the last save in its last
 *   brief.
 * @throws ServiceError if the service cannot be called, or refuses.
 */
export async function makeNews(
  client: ServiceClient,
  workspace: string | undefined,
  before: { ids: string[]; latest: string },
  maxLength: number,
  timeoutMs: number,
): Promise<Brief | undefined> {
  const home = workspace ?? DEFAULT_WORKSPACE
  const found = await findRecords(client, home, timeoutMs)
  const records = found.filter(({ id, createdAt }) => createdAt >= before.latest && !before.ids.includes(id))
  if (records.length === 0) return undefined
  return toBrief(records, {
    head: `New in the project memory (memsvc). ${FRAME}`,
    foot: toFoot(workspace),
    home,
    maxLength,
  })
}

type Form = { head: string; foot: string; home: string; maxLength: number }

function toBrief(records: BriefRecord[], { head, foot, home, maxLength }: Form): Brief {
  const lines = records.map((record) => toRecordLine(record, home))
  const count = countFitting(lines, maxLength - head.length - foot.length - 1)
  const [latest = ''] = records
    .map(({ createdAt }) => createdAt)
    .sort()
    .reverse()
  return {
    text: [head, ...lines.slice(0, count), foot].join('\n'),
    ids: records.slice(0, count).map(({ id }) => id),
    latest,
  }
}

const toFoot = (workspace: string | undefined) =>
  `Find more with the memsvc tool \`search\`, workspace "${EVERY_WORKSPACE}", other wordings in \`also\`. Save what is decided with \`remember\`, ${toSaveAdvice(workspace)}.`

async function findRecords(client: ServiceClient, home: string, timeoutMs: number): Promise<BriefRecord[]> {
  const list = (workspace: string, more: { status?: string }) =>
    searchFresh(client, { query: '*', workspace, limit: MAX_RECORDS, ...more }, timeoutMs)
  const listHomeFirst = async (more: { status?: string }) => {
    const all = (await list(EVERY_WORKSPACE, more)) ?? []
    // Fewer than asked for are all that there is; and the workspace of a new project is not active yet.
    const isAll = all.length < MAX_RECORDS
    const own = isAll ? all.filter(({ workspace }) => workspace === home) : ((await list(home, more)) ?? [])
    return [...own, ...all]
  }
  const found = (await Promise.all([listHomeFirst({ status: 'verified' }), listHomeFirst({})])).flat()
  return [...new Map(found.map((record) => [record.id, record])).values()]
}
