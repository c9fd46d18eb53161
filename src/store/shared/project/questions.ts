import { and, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { QuestionReads, QuestionWrites } from '../../question.ts'
import { isOwn, toColumns, toKey } from '../engine.ts'
import type { ProjectEngine } from './sql.ts'

const toOrder = ({ questions }: ProjectEngine['tables']) => [desc(questions.asked), desc(questions.at), questions.id]

export function createQuestionReads(engine: ProjectEngine): QuestionReads {
  const { db, tables } = engine
  const { questions } = tables
  const isKept = and(isOwn(engine, questions), isNotNull(questions.text))
  return {
    findQuestion: async (id) => {
      const found = db.select(toColumns(questions)).from(questions)
      return (await found.where(and(isOwn(engine, questions), eq(questions.id, id))))[0]
    },
    listQuestions: async ({ offset = 0, limit }) =>
      db
        .select(toColumns(questions))
        .from(questions)
        .where(isKept)
        .orderBy(...toOrder(tables))
        .limit(limit)
        .offset(offset),
    countQuestions: () => db.$count(questions, isKept),
  }
}

/** More rows than there ever are, since SQLite takes no offset without a limit. */
const ALL_ROWS = 1_000_000

/** `erased` is called where texts were erased: the storage may keep something of them. */
export function createQuestionWrites(engine: ProjectEngine, erased: () => void): QuestionWrites {
  const { db, own, tables } = engine
  const { questions } = tables
  const erase = async (which: SQL | undefined) => {
    const of = and(isOwn(engine, questions), which)
    if ((await db.delete(questions).where(of).returning({ id: questions.id })).length > 0) erased()
  }
  const eraseBeyond = (most: number, which: SQL) => {
    const beyond = db
      .select({ id: questions.id })
      .from(questions)
      .where(and(isOwn(engine, questions), which))
      .orderBy(...toOrder(tables))
      .limit(ALL_ROWS)
      .offset(most)
    return erase(inArray(questions.id, beyond))
  }
  return {
    addQuestions: async (added, most) => {
      for (const question of added) {
        const set = { asked: sql`${questions.asked} + ${question.asked}`, at: question.at }
        await db
          .insert(questions)
          .values({ ...own, ...question })
          .onConflictDoUpdate({
            target: toKey(engine, questions, questions.id),
            set,
            setWhere: isNotNull(questions.text),
          })
      }
      await eraseBeyond(most, isNotNull(questions.text))
      await eraseBeyond(most, isNull(questions.text))
    },
    dismissQuestion: async (id, at) => {
      await db
        .update(questions)
        .set({ text: null, at })
        .where(and(isOwn(engine, questions), eq(questions.id, id)))
      erased()
    },
    deleteQuestions: (which) => {
      if (which === 'all') return erase(undefined)
      return erase('id' in which ? eq(questions.id, which.id) : lt(questions.at, which.before))
    },
  }
}
