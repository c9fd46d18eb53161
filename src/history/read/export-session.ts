import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { requireOwnSession } from './own-session.ts'
import { readLines } from './read-lines.ts'
import { type Session, toSession } from './session.ts'

/** Length of a piece of an export, unless one line is longer. */
const PIECE_LENGTH = 64 * 1024

/**
 * A session of the actor as JSON Lines: the lines as the assistant wrote them, except what was redacted or reduced. `pieces` generates them as they are read.
 *
 * @throws Refusal if there is no such session, Notice where the subscription forbids it.
 */
export async function exportSession(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<{ session: Session; pieces: () => AsyncGenerator<string, void> }> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  async function* pieces(): AsyncGenerator<string, void> {
    let piece = ''
    for await (const { text } of readLines(histories.store, source, 1)) {
      piece += `${text}\n`
      if (piece.length < PIECE_LENGTH) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  }
  return { session: toSession(source), pieces }
}
