import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { Account, Member, Project } from '../../store/account.ts'
import { createFindSaver, type FindSaver } from './authors.ts'
import type { Entry } from './entry.ts'
import type { Item } from './item.ts'
import type { Incoming } from './keep-draft.ts'
import { toIncoming } from './to-incoming.ts'

/** Where records go, who saves those that name no author of the account, and who brings them. */
export type Target = { account: Account; project: Project; workspace: string | undefined; member: Member | undefined; by: Actor }

/** A record on its way, or why it is none. */
export type Step = { where: string; incoming: Incoming; unknownAuthor: string | undefined } | { where: string; refused: string }

/** Records and bytes of content that are saved together: bounds the time in which nobody else can save. */
const MAX_BATCH_RECORDS = 64
const MAX_BATCH_BYTES = 128 * 1024

/** The steps of an import in order, in groups that one transaction takes. */
export async function* toSteps(ctx: AppContext, target: Target, items: AsyncIterable<Item>): AsyncGenerator<Step[]> {
  const findSaver = await createFindSaver(ctx, target.account, target.project, target.member)
  let steps: Step[] = []
  let size = 0
  for await (const item of items) {
    for await (const step of stepsOf(ctx, findSaver, target.workspace, item)) {
      steps.push(step)
      size += 'incoming' in step ? Buffer.byteLength(step.incoming.draft.content) : 0
      if (steps.length < MAX_BATCH_RECORDS && size < MAX_BATCH_BYTES) continue
      yield steps
      steps = []
      size = 0
    }
  }
  if (steps.length > 0) yield steps
}

async function* stepsOf(ctx: AppContext, findSaver: FindSaver, workspace: string | undefined, item: Item): AsyncGenerator<Step> {
  const { where } = item
  if ('refused' in item) return yield { where, refused: item.refused }
  for (const entry of item.entries) {
    yield await toStep(ctx, findSaver, where, workspace === undefined ? entry : { ...entry, workspace })
  }
}

async function toStep(ctx: AppContext, findSaver: FindSaver, where: string, entry: Entry): Promise<Step> {
  try {
    const { caller, unknownAuthor } = findSaver(entry)
    return { where, incoming: await toIncoming(ctx, caller, entry), unknownAuthor }
  } catch (error) {
    return { where, refused: orThrow(error).message }
  }
}

/** The refusal an error is. Throws again what is none. */
export function orThrow(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
