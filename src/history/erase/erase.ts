import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import type { HistorySource } from '../../store/history.ts'
import type { HistoryReads, HistoryStore, HistoryWrites } from '../../store/history-verbs.ts'
import { authorizeHistory, type Histories } from '../authorize-history.ts'
import { requireOwnSession } from '../read/session.ts'
import { eraseDead } from './erase-dead.ts'

type Tx = HistoryReads & HistoryWrites

/** Sources erased in one write. */
const BATCH_SOURCES = 50

/** Numbers of erased sessions (or parts of one) and of their lines. */
type Erased = { sources: number; lines: number }

/**
 * Permanently erases a session of the actor, with its subagents. Nothing can be added to them afterwards, neither the
 * same lines nor later ones, unless they are forgotten (`forgetSource`).
 *
 * @throws Refusal if there is no such session, or it is somebody else's.
 */
export async function eraseSession(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<Erased> {
  const histories = await authorizeHistory(ctx, actor, projectId)
  const session = await requireOwnSession(ctx, histories, id)
  const { ownerId, assistant, sessionId } = session
  const subagents = session.kind === 'main' ? await histories.store.listSubagents(ownerId, assistant, sessionId) : []
  return erase(ctx, actor, histories, id, [session, ...subagents])
}

/** Erases every session of the actor in a project, as `eraseSession`. */
export async function eraseAllSessions(
  ctx: AppContext,
  actor: Actor,
  { projectId }: { projectId: string },
): Promise<Erased> {
  const histories = await authorizeHistory(ctx, actor, projectId)
  const sources = (await ctx.store.hasHistory(projectId)) ? await listAll(histories.store, histories.ownerId) : []
  return erase(
    ctx,
    actor,
    histories,
    null,
    sources.filter(({ lines }) => lines > 0),
  )
}

async function erase(
  ctx: AppContext,
  actor: Actor,
  histories: Histories,
  target: string | null,
  sources: HistorySource[],
): Promise<Erased> {
  const { account, projectId, store } = histories
  const lines = await closeAll(ctx, store, sources)
  const details = { sources: sources.length, lines }
  await recordEventAlone(ctx, actor, { act: 'history.erase', accountId: account.id, projectId, target, details })
  await eraseDead(store)
  return { sources: sources.length, lines }
}

/** Hides all lines of sources, to which nothing can be added any more. Returns how many were visible. */
async function closeAll({ clock }: AppContext, store: HistoryStore, sources: HistorySource[]): Promise<number> {
  let lines = 0
  for (let at = 0; at < sources.length; at += BATCH_SOURCES) {
    const batch = sources.slice(at, at + BATCH_SOURCES)
    const hidden = await store.write(async (tx) => {
      let count = 0
      for (const { id } of batch) count += await hideLines(tx, id, clock.now(), 'close')
      return count
    })
    lines += hidden
  }
  return lines
}

/**
 * Hides all lines of a source with the commit; `eraseDead` later removes what the files still contain. Keeps what its
 * agent knows of it, so that the same lines are not uploaded again; with `close`, nothing can be added at all. Returns
 * how many lines were visible.
 */
export async function hideLines(tx: Tx, id: string, erasedAt: number, close?: 'close'): Promise<number> {
  const current = await tx.findSource({ id })
  if (current === undefined) return 0
  await tx.eraseSuggestions({ sourceId: id })
  const told = { title: null, cwd: null, gitBranch: null, firstAt: null, lastAt: null }
  await tx.updateSource(id, {
    ...told,
    lines: 0,
    erasedLines: current.lastLine,
    erasedAt,
    ...(close && { closedAt: erasedAt }),
  })
  return current.lines
}

/**
 * Forgets a source of the actor: its lines are permanently erased, and so is its upload position, so that it can be
 * uploaded again. It is not an error if the source is already forgotten or never existed, so that a retry is harmless.
 *
 * @throws Refusal for a project that the actor may not use.
 */
export async function forgetSource(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  const histories = await authorizeHistory(ctx, actor, projectId)
  if (!(await ctx.store.hasHistory(projectId))) return
  const { store, account, ownerId } = histories
  const source = await store.findSource({ id })
  if (source === undefined || source.ownerId !== ownerId || source.forgottenAt !== null) return
  await forgetAll(ctx, store, [source])
  const details = { sources: 1, lines: source.lines }
  await recordEventAlone(ctx, actor, { act: 'history.forget', accountId: account.id, projectId, target: id, details })
  await eraseDead(store)
}

/** After the commit nobody can read the sources, and their names are free. */
export async function forgetAll({ clock }: AppContext, store: HistoryStore, sources: HistorySource[]): Promise<void> {
  for (let at = 0; at < sources.length; at += BATCH_SOURCES) {
    const batch = sources.slice(at, at + BATCH_SOURCES)
    await store.write(async (tx) => {
      for (const { id } of batch) {
        await tx.eraseSuggestions({ sourceId: id })
        await tx.updateSource(id, { forgottenAt: clock.now(), title: null, cwd: null, gitBranch: null })
      }
    })
  }
}

/** Every source of an owner that is not forgotten. */
export async function listAll(store: HistoryStore, ownerId: string): Promise<HistorySource[]> {
  const all: HistorySource[] = []
  for (;;) {
    const batch = await store.listAllSources({ ownerId, afterId: all.at(-1)?.id, limit: BATCH_SOURCES })
    all.push(...batch)
    if (batch.length < BATCH_SOURCES) return all
  }
}
