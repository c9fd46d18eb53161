import type { By } from '../../account/audit.ts'
import type { Means } from '../../account/means.ts'
import { Refusal } from '../../errors.ts'
import type { Account, Member, Project } from '../../store/control.ts'
import { createFindSaver, type FindSaver } from './authors.ts'
import type { Entry } from './entry.ts'
import type { Item } from './item.ts'
import type { Incoming } from './keep-draft.ts'
import { toIncoming } from './to-incoming.ts'

/** Where records go, who saves those that name no author of the account, and who brings them. */
export type Target = { account: Account; project: Project; workspace: string | undefined; member: Member | undefined; by: By }

/** A record on its way, or why it is none. */
export type Step = { where: string; incoming: Incoming; unknownAuthor: string | undefined } | { where: string; refused: string }

/** Records and bytes of content that are saved together: bounds the time in which nobody else can save. */
const MOST_TOGETHER = 64
const LARGEST_TOGETHER = 128 * 1024

/** The steps of an import in order, in groups that one transaction takes. */
export async function* toSteps(means: Means, target: Target, items: AsyncIterable<Item>): AsyncGenerator<Step[]> {
  const findSaver = await createFindSaver(means, target.account, target.project, target.member)
  let steps: Step[] = []
  let size = 0
  for await (const item of items) {
    for await (const step of stepsOf(means, findSaver, target.workspace, item)) {
      steps.push(step)
      size += 'incoming' in step ? Buffer.byteLength(step.incoming.draft.content) : 0
      if (steps.length < MOST_TOGETHER && size < LARGEST_TOGETHER) continue
      yield steps
      steps = []
      size = 0
    }
  }
  if (steps.length > 0) yield steps
}

async function* stepsOf(means: Means, findSaver: FindSaver, workspace: string | undefined, item: Item): AsyncGenerator<Step> {
  const { where } = item
  if ('refused' in item) return yield { where, refused: item.refused }
  for (const entry of item.entries) {
    yield await toStep(means, findSaver, where, workspace === undefined ? entry : { ...entry, workspace })
  }
}

async function toStep(means: Means, findSaver: FindSaver, where: string, entry: Entry): Promise<Step> {
  try {
    const { caller, unknownAuthor } = findSaver(entry)
    return { where, incoming: await toIncoming(means, caller, entry), unknownAuthor }
  } catch (error) {
    return { where, refused: orThrow(error).message }
  }
}

/** The refusal an error is. Throws again what is none. */
export function orThrow(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
