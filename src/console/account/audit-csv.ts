import { stringify } from 'csv-stringify/sync'
import { type NamedEvent, nameBatches } from '../../account/audit/named-events.ts'
import { type AuditFilter, exportVisibleEvents } from '../../account/audit/visible-audit.ts'
import { yieldIfDue } from '../../cooperative.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { PageRequest } from '../request.ts'
import { toDownload } from '../response.ts'

const HEADINGS = ['time', 'who', 'actor', 'act', 'outcome', 'on', 'target', 'project', 'project_id', 'from', 'details']

/** The audit log as CSV (RFC 4180), streamed at the client's pace. */
export function downloadAudit(req: PageRequest, filter: AuditFilter): Response {
  const batches = exportVisibleEvents(req.service, req.actor, filter)
  const day = new Date(req.service.clock.now()).toISOString().slice(0, 10)
  return toDownload(req.service, { pieces: toPieces(req, batches), type: 'text/csv', name: `memsvc-audit-${day}`, extension: 'csv' })
}

async function* toPieces({ service, visitor }: PageRequest, batches: AsyncIterable<AuditEntry[]>): AsyncGenerator<string, void> {
  yield toCsv([HEADINGS])
  for await (const events of nameBatches(service, visitor.account, batches)) {
    await yieldIfDue()
    yield toCsv(events.map(toRow))
  }
}

function toRow({ at, who, act, outcome, target, project, via, details, entry }: NamedEvent): (string | null | undefined)[] {
  const { actor, target: id, projectId } = entry
  return [new Date(at).toISOString(), who, actor, act, outcome, target, id, project, projectId, via, JSON.stringify(details)]
}

/** Values that a spreadsheet would interpret as formulas are prefixed with an apostrophe. */
const toCsv = (rows: (string | null | undefined)[][]) => stringify(rows, { escape_formulas: true, record_delimiter: 'windows' })
