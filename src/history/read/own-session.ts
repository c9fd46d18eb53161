import type { AppContext } from '../../account/context.ts'
import { UploadRefusal } from '../../errors.ts'
import type { HistorySource } from '../../store/history.ts'
import type { Histories } from '../authorize-history.ts'

/**
 * The source with this id, if it has lines and belongs to the owner.
 *
 * @throws Refusal, the same for one of somebody else and for none.
 */
export async function requireOwnSession(ctx: AppContext, { store, ownerId, projectId }: Histories, id: string): Promise<HistorySource> {
  const source = (await ctx.store.hasHistory(projectId)) ? await store.findSource(id) : undefined
  if (source === undefined || source.ownerId !== ownerId || source.forgottenAt !== null || source.lines === 0) {
    throw new UploadRefusal('unknown_source', 'there is no such session')
  }
  return source
}
