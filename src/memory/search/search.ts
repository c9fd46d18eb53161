import { type Static, Type } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { Store } from '../../store/store.ts'
import { MemoryRecord, Scope } from '../records/record.ts'
import { scopeOf, visibleTo } from '../visibility.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from '../workspaces/workspace.ts'
import { type AnswerCache, createAnswerCache, type DataVersion } from './answer-cache.ts'
import { toBudget } from './budget.ts'
import { findMatches, type Found as Match, type Answer as Matches, type Question } from './find-matches.ts'
import { toFoundRecords } from './results.ts'

/** The longest query, in characters (Unicode code points). */
const MAX_QUERY_LENGTH = 8_192

export const SearchArguments = Type.Object(
  {
    query: Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description: `A question, or words that the record is likely to contain; at most ${MAX_QUERY_LENGTH} characters`,
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Most records returned; 10 when left out' })),
    workspace: Type.Optional(Type.String({ description: 'Area of the project to search; `default` when left out' })),
    scope: Type.Optional(Scope),
    exclude_stale: Type.Optional(Type.Boolean({ description: 'Leave out records that may be out of date' })),
  },
  { additionalProperties: false },
)

export const Found = Type.Array(MemoryRecord)

/** What was searched and what was left out; beside an empty result. */
export const Hint = Type.Object({
  workspace: Type.String(),
  words: Type.Array(Type.String()),
  left_out: Type.Object({ stale: Type.Integer(), other_scope: Type.Integer() }),
  advice: Type.String(),
})

export type Hint = Static<typeof Hint>

type Arguments = Static<typeof SearchArguments>
type Answer = { result: MemoryRecord[]; hint?: Hint }

const DEFAULT_LIMIT = 10
const MAX_WORDS_SHOWN = 20
/** Answers kept, and the characters of the largest: some 4 MB in all. */
const MAX_CACHED_ANSWERS = 500
const MAX_CACHED_ANSWER_CHARACTERS = 8_192
/** Left-out records are counted up to so many. */
const MAX_COUNTED = 50

/** Finds the caller's records that match the query, best first. `hint` only when nothing was found. */
export async function searchMemory(ctx: AppContext, caller: Caller, args: Arguments): Promise<Answer> {
  const { projectId, authorId, departmentId } = caller
  // Who asks stands for what they may see: `visibleTo` makes it of these.
  const asked = `${projectId} ${authorId} ${departmentId} ${nameOf(args)}`
  const ground = await groundOf(ctx, caller)
  return answersOf(ctx.store).recall(asked, ground) ?? searchAnew(ctx, caller, args, asked, ground)
}

/** What tells arguments apart. Most calls have a query alone. */
function nameOf(args: Arguments): string {
  for (const name in args) if (name !== 'query') return JSON.stringify(args)
  return `:${args.query}`
}

async function searchAnew(ctx: AppContext, caller: Caller, args: Arguments, asked: string, before: DataVersion): Promise<Answer> {
  const { answer, until } = await search(ctx, caller, args)
  if (asked.length + sizeOf(answer) <= MAX_CACHED_ANSWER_CHARACTERS) answersOf(ctx.store).keep(asked, before, answer, until)
  return answer
}

const kept = new WeakMap<Store, AnswerCache<Answer>>()

function answersOf(store: Store): AnswerCache<Answer> {
  const known = kept.get(store)
  if (known !== undefined) return known
  const answers = createAnswerCache<Answer>(MAX_CACHED_ANSWERS)
  kept.set(store, answers)
  return answers
}

/** Read before the search, so that a save in its midst makes the kept answer worthless, not wrong. */
async function groundOf({ store, clock }: AppContext, { projectId }: Caller): Promise<DataVersion> {
  const [version, generation] = await Promise.all([store.project(projectId).version(), store.control.version()])
  return { version, generation, now: clock.now() }
}

const sizeOf = ({ result }: Answer) => result.reduce((sum, { content }) => sum + content.length, 0)

async function search(ctx: AppContext, caller: Caller, args: Arguments): Promise<{ answer: Answer; until: number }> {
  const question = await toQuestion(ctx, caller, args)
  const matches = await findMatches(question)
  const { found } = matches
  const name = args.workspace ?? DEFAULT_WORKSPACE
  if (found.length === 0) return { answer: { result: [], hint: await toHint(question, name, matches) }, until: Number.POSITIVE_INFINITY }
  const answer = { result: await toFoundRecords(ctx, name, matches) }
  return { answer, until: nextExpiry(found, question.now) }
}

/** When the first of these records will expire: only then does time alone change the answer. */
function nextExpiry(found: Match[], now: number): number {
  const expiries = found.map(({ record }) => record.expiresAt ?? Number.POSITIVE_INFINITY).filter((expiry) => expiry > now)
  return Math.min(Number.POSITIVE_INFINITY, ...expiries)
}

/** What is asked, once it is known that it may be. Throws a Refusal for a query that is empty or too long and a workspace that is not active. */
export async function toQuestion({ store, clock }: AppContext, caller: Caller, args: Arguments): Promise<Question> {
  if (isLongerThan(args.query, MAX_QUERY_LENGTH)) throw new Refusal(`query must be at most ${MAX_QUERY_LENGTH} characters`)
  if (args.query.trim() === '') throw new Refusal('query must not be empty')
  const project = store.project(caller.projectId)
  const visible = visibleTo(caller)
  const { id: workspaceId } = await requireWorkspace(project, visible, args.workspace ?? DEFAULT_WORKSPACE)
  return {
    project,
    visible,
    among: visible.filter((audience) => args.scope === undefined || scopeOf(audience) === args.scope),
    workspaceId,
    query: args.query,
    limit: args.limit ?? DEFAULT_LIMIT,
    excludeStale: args.exclude_stale ?? false,
    status: undefined,
    now: clock.now(),
    budget: toBudget(),
  }
}

/** By code points; a text that cannot be short enough is not counted. */
function isLongerThan(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || [...text].length > most)
}

/** What the filters left out: asks once more without them, within the same budget. */
export async function toHint(question: Question, workspace: string, { terms, lists }: Matches): Promise<Hint> {
  const left = await findLeftOut(question, { terms, lists })
  const otherScope = left.filter(({ record }) => !question.among?.includes(record.audience))
  const words = [...new Set(terms.map(({ word }) => word))].slice(0, MAX_WORDS_SHOWN)
  const left_out = { stale: left.length - otherScope.length, other_scope: otherScope.length }
  return { workspace, words, left_out, advice: toAdvice(question, left) }
}

async function findLeftOut(question: Question, asked: Question['asked']): Promise<Match[]> {
  const { visible, among, excludeStale, status } = question
  const isWhole = among?.length === visible?.length
  if (isWhole && !excludeStale && status === undefined) return []
  const open = { among: visible, excludeStale: false, status: undefined, limit: MAX_COUNTED }
  const { found } = await findMatches({ ...question, ...open, asked: isWhole ? asked : undefined })
  return found
}

function toAdvice({ budget }: Question, left: Match[]): string {
  if (left.length === 0) return 'Try other words, the ones the record itself would use.'
  if (budget.matches > 0) return 'Ask again without the filters.'
  return 'Only the best matches were held to the filters, there are too many: ask with more words of the record, or without the filters.'
}
