import { ServiceError } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import type { ServiceClient } from '../service-client.ts'

/** The fields of a found record that a brief uses. */
export type BriefRecord = {
  id: string
  workspace: string
  content: string
  status: string
  source: string | undefined
  author: string | undefined
  createdAt: string
}

/** The name by which `search` takes all workspaces. */
export const EVERY_WORKSPACE = '*'

/** Arguments of the tool `search`. */
type SearchWish = { query: string; workspace: string; limit: number; status?: string }

/** The end of the first line of the refusal for a workspace in which nothing was ever saved. */
const NOT_ACTIVE = / is not active$/m

/**
 * Makes `search` leave out records that the guard marked: what a session is told unasked must not be an instruction by
 * somebody else.
 */
const UNASKED = { 'memsvc/unasked': true }

/**
 * Fresh records that match, without those that the guard marked; undefined if the workspace is not active.
 *
 * @throws ServiceError if the service did not answer, rejected the key, or refused for another reason.
 */
export async function searchFresh(
  client: ServiceClient,
  wish: SearchWish,
  timeoutMs: number,
): Promise<BriefRecord[] | undefined> {
  try {
    return await search(client, { ...wish, exclude_stale: true }, timeoutMs, UNASKED)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'refused' && NOT_ACTIVE.test(error.message)) return undefined
    throw error
  }
}

/** Whether anything that the key may see was ever saved in a workspace. Throws as `searchFresh` does. */
export async function isActive(client: ServiceClient, workspace: string, timeoutMs: number): Promise<boolean> {
  return (await searchFresh(client, { query: '*', workspace, limit: 1 }, timeoutMs)) !== undefined
}

/** Whether the key sees any record, stale and marked ones included. Throws as `searchFresh` does. */
export async function hasRecords(client: ServiceClient, timeoutMs: number): Promise<boolean> {
  return (await search(client, { query: '*', workspace: EVERY_WORKSPACE, limit: 1 }, timeoutMs)).length > 0
}

async function search(
  client: ServiceClient,
  args: object,
  timeoutMs: number,
  meta?: Record<string, unknown>,
): Promise<BriefRecord[]> {
  const { structuredContent } = await client.callTool('search', args, timeoutMs, meta)
  const found: unknown[] = Array.isArray(structuredContent.result) ? structuredContent.result : []
  return found.filter(isObject).map(toRecord)
}

function toRecord(record: Record<string, unknown>): BriefRecord {
  return {
    id: String(record.id),
    workspace: String(record.workspace),
    content: String(record.content),
    status: String(record.status),
    source: typeof record.source_id === 'string' ? record.source_id : undefined,
    author: typeof record.author === 'string' ? record.author : undefined,
    createdAt: String(record.created_at),
  }
}
