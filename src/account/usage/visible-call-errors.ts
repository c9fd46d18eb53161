import { DAY_MS } from '../../clock.ts'
import type { Project } from '../../store/account.ts'
import type { CallError } from '../../store/daily-use.ts'
import { BATCH_ROWS, countRows, type MatchingPage, type Part, readBatches, takePage } from '../audit/batches.ts'
import { type Actor, type MemberActor, requireManager } from '../auth/actor.ts'
import { authorNames } from '../auth/caller.ts'
import type { AppContext } from '../context.ts'
import { listVisibleProjects, requireVisibleProject } from '../organizations/project-access.ts'
import { CALL_ERROR_DAYS } from './call-errors.ts'
import { toDay } from './call-uses.ts'
import { ownKeysOnly } from './count-calls.ts'

/**
 * Conditions on calls; all must hold, and an omitted one does not restrict. Times are in milliseconds since 1970.
 */
export type CallErrorFilter = {
  [Field in 'projectId' | 'authorId' | 'keyId' | 'tool' | 'reason']?: string | undefined
} & {
  outcome?: 'refused' | 'failed' | undefined
  /** The slug of the integration whose tools were called. */
  integration?: string | undefined
  from?: number | undefined
  until?: number | undefined
}

/** A call with the names of its project, of its key, and of the key's holder, who is undefined for a service key. */
export type NamedCallError = CallError & { project: string; key: string; person: string | undefined }

/**
 * Calls of the last 30 days that were refused or failed, newest first: of all keys for the operator, owners and admins,
 * of their own for others. Without a project, those of an account, for those who manage it. Calls of the last minute
 * may be missing.
 *
 * @throws Refusal for a project that the actor may not open, and for an account that they do not manage.
 */
export async function listCallErrors(
  ctx: AppContext,
  actor: Actor,
  accountId: string,
  filter: CallErrorFilter,
  { before, limit }: Part,
): Promise<MatchingPage<NamedCallError>> {
  const { projectId } = filter
  if (projectId === undefined || actor.kind !== 'member') requireManager(actor, accountId)
  else await requireVisibleProject(ctx, actor, projectId)
  const authorId = ownKeysOnly(actor) ?? filter.authorId
  // One condition with an index; the others are checked here.
  const indexed = authorId !== undefined ? { authorId } : projectId !== undefined ? { projectId } : { accountId }
  const from = Math.max(filter.from ?? 0, ctx.clock.now() - CALL_ERROR_DAYS * DAY_MS)
  const read = (part: Part) =>
    ctx.store.control.list(
      'callErrors',
      { ...indexed, at: { from, until: filter.until } },
      { by: 'at', newestFirst: true, ...part },
    )
  const isPassed = (error: CallError) => error.accountId === accountId && isLike(error, filter)
  const page = await takePage(readBatches(read, isPassed, { before, size: BATCH_ROWS }), limit)
  return { ...page, rows: await nameAll(ctx, accountId, page.rows) }
}

/** Calls of one person that are looked through to count those of a project. */
const MAX_OWN = 1_000

/**
 * How many calls `listCallErrors` lists without conditions; undefined if more than 200 000 or, for an actor who sees
 * only those of their own keys, if they have more than 1 000 in all projects.
 *
 * @throws Refusal for an account that the actor does not manage.
 */
export async function countCallErrors(
  { store, clock }: AppContext,
  actor: MemberActor,
  projectId: string | undefined,
): Promise<number | undefined> {
  const at = { from: clock.now() - CALL_ERROR_DAYS * DAY_MS }
  const authorId = ownKeysOnly(actor)
  if (authorId !== undefined) {
    const own = await store.control.list('callErrors', { authorId, at }, { limit: MAX_OWN + 1 })
    return own.length > MAX_OWN ? undefined : own.filter((error) => error.projectId === projectId).length
  }
  const accountId = actor.account.id
  requireManager(actor, accountId)
  return countRows(store.control, 'callErrors', projectId === undefined ? { accountId, at } : { projectId, at })
}

async function nameAll({ store }: AppContext, accountId: string, errors: CallError[]): Promise<NamedCallError[]> {
  const { control } = store
  const toNames = <One extends { id: string }>(all: One[], name: (one: One) => string) =>
    new Map(all.map((one) => [one.id, name(one)]))
  const keys = toNames(
    await control.list('keys', { id: [...new Set(errors.map(({ keyId }) => keyId))] }),
    ({ label }) => label,
  )
  const projects = toNames(await control.list('projects', { accountId }), ({ name }) => name)
  const people = await authorNames({ store }, new Set(errors.map(({ authorId }) => authorId)))
  return errors.map((error) => ({
    ...error,
    project: projects.get(error.projectId) ?? error.projectId,
    key: keys.get(error.keyId) ?? error.keyId,
    person: error.authorId === error.keyId ? undefined : people.get(error.authorId),
  }))
}

/**
 * The tools whose calls were refused or failed in the last 30 days, and the slugs of integrations among them, for those
 * who may see the calls.
 */
export async function listCalledTools(ctx: AppContext, actor: MemberActor, project: Project | undefined) {
  const projects = project === undefined ? await listVisibleProjects(ctx, actor) : [project]
  const untilDay = toDay(ctx.clock.now())
  const selection = {
    projectIds: projects.map(({ id }) => id),
    memberId: ownKeysOnly(actor),
    fromDay: untilDay - CALL_ERROR_DAYS,
    untilDay,
  }
  const counts = await ctx.store.control.countUse(selection, ['tool', 'outcome'])
  const tools = [...new Set(counts.filter(({ outcome }) => outcome !== 'ok').map(({ tool }) => tool))].sort()
  return {
    tools,
    integrations: [...new Set(tools.flatMap((tool) => (tool.includes('.') ? tool.slice(0, tool.indexOf('.')) : [])))],
  }
}

function isLike(
  error: CallError,
  { outcome, integration, from: _from, until: _until, ...values }: CallErrorFilter,
): boolean {
  if (outcome !== undefined && (error.outcome === 'failed' ? 'failed' : 'refused') !== outcome) return false
  if (integration !== undefined && error.tool !== integration && !error.tool.startsWith(`${integration}.`)) return false
  return Object.entries(values).every(
    ([name, value]) => value === undefined || error[name as keyof typeof values] === value,
  )
}
