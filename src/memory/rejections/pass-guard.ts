import type { AuditEvent } from '../../account/audit/audit.ts'
import { Refusal } from '../../errors.ts'
import { inspectInSlices } from '../../guard/inspect.ts'
import type { Verdict } from '../../guard/verdict.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { Draft } from '../records/draft.ts'
import { scopeOf } from '../visibility.ts'

/** Takes the line that the audit log is to have of a rejection. */
export type Report = (deed: AuditEvent) => Promise<void>

type Read = Pick<Draft, 'audience' | 'content' | 'factKey' | 'factKeyGiven' | 'sourceId'>

/**
 * Throws a Refusal for a record of which any text resembles instructions for agents, unless people of the account let just that text pass.
 * The audit log has why, and the text's hash, but no word of it; the caller reads the contract's text alone.
 */
export async function passGuard(project: Pick<ProjectStore, 'isAllowed'>, draft: Read, report: Report): Promise<void> {
  const rejected = await findRejected(project, draft)
  if (rejected === undefined) return
  const { field, hash, verdict } = rejected
  const rules = [...new Set(verdict.signs.map(({ rule }) => rule))].join(', ')
  const score = Math.round(verdict.score * 1000) / 1000
  const details = { scope: scopeOf(draft.audience), field, family: verdict.family ?? null, rules, view: verdict.view, score }
  await report({ act: 'record.reject', target: hash, outcome: 'refused', details })
  throw new Refusal('Memory rejected by Security Guard')
}

/** What of a record an assistant will read in the caller's own words. A derived fact key says nothing new. */
async function findRejected(
  project: Pick<ProjectStore, 'isAllowed'>,
  { content, factKey, factKeyGiven, sourceId }: Read,
): Promise<{ field: string; hash: string; verdict: Verdict } | undefined> {
  const fields = { content, fact_key: factKeyGiven ? factKey : null, source_id: sourceId }
  for (const [field, text] of Object.entries(fields)) {
    if (text === null) continue
    const verdict = await inspectInSlices(text)
    if (!verdict.rejected) continue
    const hash = hashOf(text)
    if (!(await project.isAllowed(hash))) return { field, hash, verdict }
  }
  return undefined
}

/** The name of a text in the audit log and in the list of what may pass: SHA-256 in hexadecimal. */
export function hashOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}
