import { isFinalRefusal } from '../../errors.ts'
import { maskCredentials } from '../../secrets/credentials.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { Question } from '../../store/question.ts'
import { toComparableKey } from '../../text/comparable.ts'
import { findMatches } from '../search/find-matches.ts'
import { EVERY_WORKSPACE, toRequest } from '../search/request.ts'
import { readDataVersion, type SearchContext } from '../search/search.ts'
import { WEAK_MATCH } from '../search/weights.ts'
import type { AskedQuestion, WaitingQuestions } from './waiting-questions.ts'

/** Questions that a project keeps at most, and characters (Unicode code points) of each. */
export const MAX_QUESTIONS = 1_000
export const MAX_QUESTION_LENGTH = 200

type Context = SearchContext & { questions: WaitingQuestions }

/**
 * Keeps those of the waiting questions that have no answer, for the projects that wish it. A project that fails is
 * logged, and its questions are lost.
 */
export async function keepQuestions(ctx: Context): Promise<void> {
  for (const [projectId, asked] of ctx.questions.take()) {
    await keepOfProject(ctx, projectId, asked).catch((error) =>
      ctx.log('questions were not kept', { project: projectId, error: String(error) }),
    )
  }
}

async function keepOfProject(ctx: Context, id: string, asked: AskedQuestion[]): Promise<void> {
  // It may have been switched off while they waited.
  if ((await ctx.store.control.find('projects', { id, removedAt: null }))?.keepsQuestions !== true) return
  const unanswered: Question[] = []
  for (const one of asked) if (await isUnanswered(ctx, one)) unanswered.push(await toQuestion(one))
  if (unanswered.length > 0) await ctx.store.project(id).write((tx) => tx.addQuestions(unanswered, MAX_QUESTIONS))
}

/** An author id that nobody has. */
const NOBODY = ''

/**
 * Whether somebody without drafts and department finds nothing in the whole project, or only weak matches. Whoever
 * asked, it is judged by this search and not by the answer that they were given: if what only some may see decided, a
 * question that is missing from the list would tell of it. One that search refuses is none.
 */
async function isUnanswered(ctx: Context, { caller, query, also }: AskedQuestion): Promise<boolean> {
  const reader = { ...caller, authorId: NOBODY, departmentId: undefined }
  const args = { query, workspace: EVERY_WORKSPACE, ...(also && { also }) }
  try {
    const request = await toRequest(ctx, reader, args, await readDataVersion(ctx, reader))
    const isList = request.words === undefined
    return !isList && (await findMatches(request)).page.every(({ score }) => score < WEAK_MATCH)
  } catch (error) {
    if (isFinalRefusal(error)) return false
    throw error
  }
}

/** What is kept of a question, without credentials. */
export async function toQuestion({ query, asked, at }: Omit<AskedQuestion, 'caller' | 'also'>): Promise<Question> {
  const masked = (await maskCredentials(query)).replace(/\s+/g, ' ').trim()
  const text = [...masked].slice(0, MAX_QUESTION_LENGTH).join('')
  return { id: sha256Hex(toComparableKey(text).replace(/\s/g, '')), text, asked, at }
}
