import { recordEvent, recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, requireOwner } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { Project } from '../../store/account.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { Question } from '../../store/question.ts'
import { joinPhrases, phrasesOf } from '../../store/record.ts'
import { normalize } from '../../text/normalize.ts'
import { MAX_PHRASE_LENGTH, mergePhrases, readPhrases } from '../records/save/draft.ts'
import { amendRecord } from '../records/save/remember.ts'
import { requireCurrent } from '../records/verify.ts'
import { authorizeMemory, placeOf } from '../visibility.ts'
import { MAX_QUESTIONS } from './keep-questions.ts'

/*
 * Questions of searches that no record answered, which a project keeps if its owner wishes it (`keep-questions.ts`).
 * Whoever may review the records of the project sees them, and says what becomes of them.
 */

type QuestionRef = { projectId: string; id: string }
/** A question that is not dismissed. */
export type OpenQuestion = Question & { text: string }

/**
 * Switches on that questions without an answer are kept, or off, which erases them.
 *
 * @throws Refusal for everybody but the operator and owners of the account.
 */
export async function switchQuestions(
  ctx: AppContext,
  actor: Actor,
  { project, keepsQuestions }: { project: Project; keepsQuestions: boolean },
): Promise<void> {
  const { id, accountId } = project
  requireOwner(actor, accountId)
  await ctx.store.control.write(async (tx) => {
    if ((await tx.find('projects', { id }))?.keepsQuestions === keepsQuestions) return
    await tx.update('projects', { id }, { keepsQuestions })
    const details = { from: toState(!keepsQuestions), to: toState(keepsQuestions) }
    await recordEvent(ctx, tx, actor, { act: 'project.questions', accountId, projectId: id, target: id, details })
  })
  if (!keepsQuestions) await ctx.store.project(id).write((tx) => tx.deleteQuestions('all'))
}

const toState = (keepsQuestions: boolean) => (keepsQuestions ? 'kept' : 'not kept')

/**
 * A page of the questions, the most often asked first, and how many there are.
 *
 * @throws Refusal and Notice as `authorizeMemory` does for reading.
 */
export async function listQuestions(
  ctx: AppContext,
  actor: Actor,
  projectId: string,
  page: { offset?: number; limit: number },
): Promise<{ questions: OpenQuestion[]; total: number }> {
  const { records } = await authorizeMemory(ctx, actor, projectId, 'read')
  const questions = await records.listQuestions(page)
  return { questions: questions.filter(isOpen), total: await records.countQuestions() }
}

/** @throws Refusal for a question that was settled or erased, and as `authorizeMemory` does. */
export async function requireQuestion(ctx: AppContext, actor: Actor, ref: QuestionRef): Promise<OpenQuestion> {
  const { records } = await authorizeMemory(ctx, actor, ref.projectId, 'read')
  return findOpen(records, ref.id)
}

/**
 * Dismisses a question: its text is erased, and for 30 days it does not return. Returns it as it was.
 *
 * @throws Refusal for a question that was settled or erased, and as `authorizeMemory` does.
 */
export async function dismissQuestion(ctx: AppContext, actor: Actor, ref: QuestionRef): Promise<OpenQuestion> {
  const memory = await authorizeMemory(ctx, actor, ref.projectId, 'write')
  const dismissed = await memory.records.write(async (tx) => {
    const question = await findOpen(tx, ref.id)
    await tx.dismissQuestion(question.id, ctx.clock.now())
    return question
  })
  await recordEventAlone(ctx, actor, { act: 'question.dismiss', ...placeOf(memory), target: ref.id })
  return dismissed
}

/**
 * Brings back a question that was dismissed, as it was.
 *
 * @throws Refusal if the project no longer keeps questions, and as `authorizeMemory` does.
 */
export async function restoreQuestion(
  ctx: AppContext,
  actor: Actor,
  { project, question }: { project: Project; question: OpenQuestion },
): Promise<void> {
  const memory = await authorizeMemory(ctx, actor, project.id, 'write')
  if (!project.keepsQuestions) throw new Refusal('questions are no longer kept')
  await memory.records.write(async (tx) => {
    await tx.deleteQuestions({ id: question.id })
    await tx.addQuestions([question], MAX_QUESTIONS)
  })
  await recordEventAlone(ctx, actor, { act: 'question.restore', ...placeOf(memory), target: question.id })
}

/**
 * Makes the beginning of a question one of the phrases of a record, and removes it from the list.
 *
 * @throws Refusal for a question that was settled or erased, for a record that not everybody of the project sees, and
 *   as `amendRecord` does.
 */
export async function linkQuestion(
  ctx: AppContext,
  actor: Actor,
  { recordId, ...ref }: QuestionRef & { recordId: string },
): Promise<void> {
  const memory = await authorizeMemory(ctx, actor, ref.projectId, 'write')
  const question = await findOpen(memory.records, ref.id)
  const record = await requireCurrent(memory.records, memory.visible, recordId)
  if (record.audience !== '*') throw new Refusal('not everybody who asks sees this record; share it first')
  const phrases = mergePhrases(readPhrases([toPhrase(question)]), phrasesOf(record))
  if (joinPhrases(phrases) !== record.askedAs) await amendRecord(ctx, actor, memory, record, { phrases })
  await memory.records.write((tx) => tx.deleteQuestions({ id: question.id }))
}

/**
 * Removes a question that a new record answers, if it is still there.
 *
 * @throws as `authorizeMemory` does.
 */
export async function settleQuestion(ctx: AppContext, actor: Actor, { projectId, id }: QuestionRef): Promise<void> {
  const { records } = await authorizeMemory(ctx, actor, projectId, 'write')
  const question = await records.findQuestion(id)
  if (question !== undefined && isOpen(question)) await records.write((tx) => tx.deleteQuestions({ id }))
}

/**
 * A question, of at most 200 characters (`MAX_QUESTION_LENGTH`), as a phrase. It is normalized before it is cut to 120
 * characters (`MAX_PHRASE_LENGTH`), because normalization may lengthen a text.
 */
export const toPhrase = ({ text }: OpenQuestion): string =>
  [...normalize(text, 'NFKC')].slice(0, MAX_PHRASE_LENGTH).join('')

const isOpen = (question: Question): question is OpenQuestion => question.text !== null

async function findOpen(reads: Pick<ProjectReads, 'findQuestion'>, id: string): Promise<OpenQuestion> {
  const found = await reads.findQuestion(id)
  if (found === undefined || !isOpen(found)) throw new Refusal('this question is not there any more; look again')
  return found
}
