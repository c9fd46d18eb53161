import type { SyncReport } from '../histories/sync/report.ts'
import type { ClientMessage } from './message.ts'

/** The agent's own tool. */
const OWN_TOOL = 'memsvc_sync_status'

const TEXT = { type: 'string' }
const FLAG = { type: 'boolean' }
const COUNT = { type: 'integer' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const objectOf = (properties: Record<string, unknown>) => ({ type: 'object', properties })

const OUTPUT_SCHEMA = {
  ...objectOf({
    state: { type: 'string', enum: ['disabled', 'idle', 'scanning', 'uploading', 'backing_off', 'paused', 'error'] },
    reason: TEXT_OR_NULL,
    enabled: FLAG,
    searchable: FLAG,
    note: TEXT,
    endpoint: TEXT_OR_NULL,
    agent_version: TEXT,
    device: TEXT_OR_NULL,
    project_dirs: { type: 'array', items: TEXT },
    uploader: { type: 'string', enum: ['this_process', 'other_process', 'none'] },
    last_success_at: TEXT_OR_NULL,
    last_attempt_at: TEXT_OR_NULL,
    next_attempt_at: TEXT_OR_NULL,
    totals: objectOf({
      sessions: objectOf({ known: COUNT, synced: COUNT, pending: COUNT, failed: COUNT, excluded: COUNT }),
      bytes: objectOf({ uploaded: COUNT, pending: COUNT }),
      records_uploaded: COUNT,
      secrets_redacted: COUNT,
    }),
    assistants: { type: 'array', items: { type: 'object' } },
    current: { type: ['object', 'null'] },
    last_error: { type: ['object', 'null'] },
    as_of: TEXT,
  }),
  required: ['state', 'reason', 'enabled', 'searchable', 'note', 'endpoint', 'agent_version', 'as_of'],
}

/** The entry of the agent's own tool in `tools/list`. */
export const OWN_TOOL_ENTRY = JSON.stringify({
  name: OWN_TOOL,
  description:
    'State of the upload of coding-assistant session histories from this machine to the memory service. Takes no arguments, works offline, changes nothing. ' +
    'Uploaded histories are not returned by search.',
  inputSchema: objectOf({}),
  outputSchema: OUTPUT_SCHEMA,
  annotations: { readOnlyHint: true, idempotentHint: true },
})

/** Whether a message calls the agent's own tool. */
export function isOwnCall({ method, name }: Pick<ClientMessage, 'method' | 'name'>): boolean {
  return method === 'tools/call' && name === OWN_TOOL
}

/** The result of a call of the agent's own tool. */
export function toOwnResult(report: SyncReport): Record<string, unknown> {
  return { content: [{ type: 'text', text: JSON.stringify(report) }], structuredContent: report, isError: false }
}
