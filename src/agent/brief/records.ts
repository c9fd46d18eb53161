import { ServiceError } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import type { ServiceClient } from '../service-client.ts'

/** The fields of a found record that a brief uses. */
export type BriefRecord = {
  id: string
  workspace: string
  content: string
  status: string
  score: number
  source: string | undefined
  author: string | undefined
  createdAt: string
}

/** Arguments of the tool `search`. */
export type SearchWish = { query: string; workspace: string; limit: number; status?: string }

/**
 * Fresh records that match. A refusal by the tool counts as no records; usually nothing was ever saved in the workspace.
 *
 * @throws ServiceError if the service did not answer, or rejected the key.
 */
export async function searchFresh(client: ServiceClient, wish: SearchWish, timeoutMs: number): Promise<BriefRecord[]> {
  try {
    const { structuredContent } = await client.callTool('search', { ...wish, exclude_stale: true }, timeoutMs)
    const found: unknown[] = Array.isArray(structuredContent.result) ? structuredContent.result : []
    return found.filter(isObject).map(toRecord)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'refused') return []
    throw error
  }
}

function toRecord(record: Record<string, unknown>): BriefRecord {
  return {
    id: String(record.id),
    workspace: String(record.workspace),
    content: String(record.content),
    status: String(record.status),
    score: Number(record.score),
    source: typeof record.source_id === 'string' ? record.source_id : undefined,
    author: typeof record.author === 'string' ? record.author : undefined,
    createdAt: String(record.created_at),
  }
}
