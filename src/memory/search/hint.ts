import { type Static, Type } from 'typebox'
import { findMatches, type Matches } from './find-matches.ts'
import { isNarrowed, type Match } from './match-words.ts'
import { EVERY_WORKSPACE, MAX_LIMIT, MAX_WORDS_OFFSET, type SearchRequest } from './request.ts'
import { roundScore } from './results.ts'
import { CLEARLY_BETTER, WEAK_MATCH, WEAK_SCORE } from './weights.ts'

/**
 * With an empty answer: what was searched for, what the filters left out, and other workspaces that have matches. With
 * any answer: words that no record holds, other workspaces with a clearly better match, and why a list ends although
 * there are more matches.
 */
export const Hint = Type.Object({
  workspace: Type.Optional(Type.String()),
  words: Type.Optional(Type.Array(Type.String())),
  words_not_found: Type.Optional(Type.Array(Type.String())),
  left_out: Type.Optional(
    Type.Object({ stale: Type.Integer(), other_scope: Type.Integer(), other: Type.Optional(Type.Integer()) }),
  ),
  other_workspaces: Type.Optional(Type.Array(Type.String())),
  advice: Type.Optional(Type.String()),
})
export type Hint = Static<typeof Hint>

const MAX_SHOWN_WORDS = 20
const MAX_SHOWN_WORKSPACES = 10
/** Maximum number of left-out records that are counted, and of records examined to find other workspaces. */
const MAX_COUNTED_RECORDS = 50

const TOO_MANY =
  'Only the best matches were checked against the filters, because there are too many: ask with more words of the record, or without the filters.'
const AT_THE_END = `Only the first ${MAX_WORDS_OFFSET + MAX_LIMIT} matches can be listed: ask with more words of the record, or with filters.`

const WEAK = 'Weak match: ask in other words, with other wordings in also.'

/** The hint beside matches; undefined if there is nothing to say. */
export async function toHint(request: SearchRequest, found: Matches): Promise<Hint | undefined> {
  const words = toUnknownWords(found)
  const isAtTheEnd = found.hasMore && toNextOffset(request, found) === undefined
  const isCutOff = !found.hasMore && isBudgetSpent(request)
  if (isAtTheEnd || isCutOff) return { ...words, advice: isAtTheEnd ? AT_THE_END : TOO_MANY }
  const weak = await toWeakHint(request, found)
  return words === undefined && weak === undefined ? undefined : { ...words, ...weak }
}

/**
 * What to do where the best match of a first page is weak: ask in other workspaces that have a clearly better one, or
 * in other words.
 */
async function toWeakHint(request: SearchRequest, { page, hints }: Matches): Promise<Hint | undefined> {
  const best = Math.max(...page.map(({ score }) => score))
  if (request.words === undefined || request.offset > 0 || best >= WEAK_SCORE) return undefined
  const better = hints?.hasOthers === false ? undefined : await findBetterWorkspaces(request, best)
  return better ?? (request.also.length === 0 && best < WEAK_MATCH ? { advice: WEAK } : undefined)
}

/** Other workspaces whose best match is clearly better, and how much. Searches a second time. */
async function findBetterWorkspaces(request: SearchRequest, best: number): Promise<Hint | undefined> {
  if (request.workspaceId === undefined || (await request.project.countWorkspaces()) === 1) return undefined
  const { names, score } = await findOtherWorkspaces(request, best)
  if (names.length === 0) return undefined
  return {
    other_workspaces: names,
    advice: toOthersAdvice(`match better (${roundScore(score)}, here ${roundScore(best)})`),
  }
}

/** What to do where other workspaces match, in words for assistants. */
export const ASK_ELSEWHERE = `ask again with '${EVERY_WORKSPACE}' as workspace, or with one of them.`

const toOthersAdvice = (what: string) => `Records of other_workspaces ${what}: ${ASK_ELSEWHERE}`

/** Where the next page begins; undefined if there is none. */
export function toNextOffset({ offset, words }: SearchRequest, { hasMore, page }: Matches): number | undefined {
  const next = offset + page.length
  return hasMore && (words === undefined || next <= MAX_WORDS_OFFSET) ? next : undefined
}

function toUnknownWords({ unknown }: Matches): Pick<Hint, 'words_not_found'> | undefined {
  return unknown.length === 0 ? undefined : { words_not_found: unknown.slice(0, MAX_SHOWN_WORDS) }
}

/**
 * The hint for a request without matches. Searches again without the filters, and in all workspaces, within the
 * request's budget.
 */
export async function toEmptyHint(request: SearchRequest, found: Matches): Promise<Hint> {
  const words = [...new Set(found.terms.filter(({ wordings }) => wordings.includes(0)).map(({ word }) => word))].slice(
    0,
    MAX_SHOWN_WORDS,
  )
  const asked = { workspace: request.workspace, words, ...toUnknownWords(found) }
  if (await isBehindTheLast(request, found))
    return { ...asked, advice: 'offset is behind the last match; ask again with a smaller one.' }
  const leftOut = await findLeftOut(request, found)
  const { names: others } = await findOtherWorkspaces(request)
  return {
    ...asked,
    left_out: countLeftOut(request, leftOut),
    ...(others.length > 0 && { other_workspaces: others }),
    advice: await toAdvice(request, leftOut, others),
  }
}

/**
 * Whether there are matches, all of them before the offset. A list reads its page alone, so its beginning is looked at
 * here.
 */
async function isBehindTheLast(request: SearchRequest, { all }: Matches): Promise<boolean> {
  if (all.length > 0) return true
  if (request.words !== undefined || request.offset === 0) return false
  return (await findMatches({ ...request, offset: 0, limit: 1 })).all.length > 0
}

async function findLeftOut(request: SearchRequest, postings: SearchRequest['postings']): Promise<Match[]> {
  const { visible, searched, workspaceId, filter, words } = request
  const isWhole = searched?.length === visible?.length
  if (isWhole && !isNarrowed(filter)) return []
  const unfiltered = { searched: visible, filter: { visible, workspaceId }, offset: 0, limit: MAX_COUNTED_RECORDS }
  const { page } = await findMatches({
    ...request,
    ...unfiltered,
    postings: isWhole && words !== undefined ? postings : undefined,
  })
  return page
}

function countLeftOut({ searched, filter }: SearchRequest, leftOut: Match[]): NonNullable<Hint['left_out']> {
  const ofScope = leftOut.filter(({ record }) => searched?.includes(record.audience))
  const stale = ofScope.filter((match) => filter.freshAt !== undefined && match.stale).length
  const other = ofScope.length - stale
  return { stale, other_scope: leftOut.length - ofScope.length, ...(other > 0 && { other }) }
}

/** Names of other workspaces, and the score of their best match. */
type Others = { names: string[]; score: number }

/**
 * Other workspaces among those of the best matches in all workspaces; only of matches that are clearly better than the
 * score `best` and than every match of the request's own workspace.
 */
async function findOtherWorkspaces(request: SearchRequest, best = 0): Promise<Others> {
  if (request.workspaceId === undefined) return { names: [], score: 0 }
  const everywhere = {
    workspaceId: undefined,
    filter: { ...request.filter, workspaceId: undefined },
    postings: undefined,
  }
  const { page } = await findMatches({ ...request, ...everywhere, offset: 0, limit: MAX_COUNTED_RECORDS })
  const isOwn = ({ record }: Match) => record.workspaceId === request.workspaceId
  const bound = CLEARLY_BETTER * Math.max(best, ...page.filter(isOwn).map(({ score }) => score))
  const others = page.filter((match) => !isOwn(match) && (best === 0 || match.score >= bound))
  const ids = [...new Set(others.map(({ record }) => record.workspaceId))]
  const workspaces = await request.project.findWorkspacesById(ids.slice(0, MAX_SHOWN_WORKSPACES))
  return { names: workspaces.map(({ name }) => name).sort(), score: Math.max(...others.map(({ score }) => score)) }
}

async function toAdvice(request: SearchRequest, leftOut: Match[], others: string[]): Promise<string> {
  if (leftOut.length > 0) return isBudgetSpent(request) ? TOO_MANY : 'Ask again without the filters.'
  if (others.length > 0) return toOthersAdvice('match')
  if (await isNewProject(request)) return 'Nothing is saved in this project yet.'
  if (request.words === undefined) return 'Nothing is saved here now.'
  return 'Try other words, the ones the record itself would use, or give other wordings in also.'
}

/** Whether nothing that the caller may see was ever saved. A workspace that is searched has records, or had some. */
const isNewProject = async ({ workspaceId, project, visible }: SearchRequest) =>
  workspaceId === undefined && (await project.listWorkspaces(visible, { limit: 1 })).length === 0

const isBudgetSpent = ({ budget }: SearchRequest) => budget.filteredCandidates <= 0
