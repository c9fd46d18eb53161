import { type AuditEvent, recordEventAlone } from '../../account/audit/audit.ts'
import type { AppContext } from '../../account/context.ts'
import { type Limits, limitsOf } from '../../account/limits/plan.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectStore } from '../../store/project.ts'
import { passGuard, type Report } from '../rejections/pass-guard.ts'
import type { Item } from './item.ts'
import { type Incoming, type Kept, keepDraft, type Used } from './keep-draft.ts'
import { orThrow, type Step, type Target, toSteps } from './to-steps.ts'

/** How an import is watched: told of each refusal as it comes and of progress now and again, and asked whether to go on. */
export type Watch = { refused: (where: string, reason: string) => void; progress: (counts: Counts) => void; isStopped: () => boolean }

/** Records by what became of them; of an item that could not be read, one refusal. `byUnknownAuthors` are among the saved. */
export type Counts = { saved: number; there: number; forgotten: number; refused: number; byUnknownAuthors: number }

/** Left to others between two saves, in milliseconds. */
const PAUSE_MS = 2

/** Saves what the items hold, in their order, by the rules of `remember`. Refused ones stop nothing; what is there already is passed over. */
export async function importRecords(ctx: AppContext, target: Target, items: AsyncIterable<Item>, watch: Watch): Promise<Counts> {
  const project = ctx.store.project(target.project.id)
  const limits = limitsOf(target.account)
  const used: Used = new Set()
  const counts: Counts = { saved: 0, there: 0, forgotten: 0, refused: 0, byUnknownAuthors: 0 }
  for await (const steps of toSteps(ctx, target, items)) {
    const outcomes = await keepAll(project, steps, used, limits, (deed) => note(ctx, target, deed))
    for (const [at, step] of steps.entries()) count(counts, watch, step, outcomes[at])
    watch.progress(counts)
    if (watch.isStopped()) break
    await Bun.sleep(PAUSE_MS)
  }
  return counts
}

/** Each record is an act of its own, and those of one call share a transaction, in their order. */
async function keepAll(project: ProjectStore, steps: Step[], used: Used, limits: Limits, report: Report): Promise<(Kept | Refusal)[]> {
  const judged = await Promise.all(steps.map((step) => toJudged(project, step, report)))
  const keepOne = (incoming: Incoming) => project.write((tx) => keepDraft(tx, incoming, used, limits)).catch(orThrow)
  return Promise.all(judged.map((one) => (one instanceof Refusal ? one : keepOne(one))))
}

/** The record of a step, or why it is not kept. The guard takes longer for a long text, so all are judged before the first is kept. */
async function toJudged(project: ProjectStore, step: Step, report: Report): Promise<Incoming | Refusal> {
  if ('refused' in step) return new Refusal(step.refused)
  try {
    await passGuard(project, step.incoming.draft, report)
    return step.incoming
  } catch (error) {
    return orThrow(error)
  }
}

function note(ctx: AppContext, { by, account, project }: Target, deed: AuditEvent): Promise<void> {
  return recordEventAlone(ctx, by, { ...deed, accountId: account.id, projectId: project.id })
}

function count(counts: Counts, watch: Watch, step: Step, outcome: Kept | Refusal | undefined): void {
  if (outcome === undefined) return
  if (outcome instanceof Refusal) {
    counts.refused += 1
    watch.refused(step.where, outcome.message)
    return
  }
  counts[outcome] += 1
  if (outcome === 'saved' && 'unknownAuthor' in step && step.unknownAuthor !== undefined) counts.byUnknownAuthors += 1
}
