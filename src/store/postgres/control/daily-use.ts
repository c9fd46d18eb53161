import { and, between, type Column, eq, gt, inArray, lt, or, sum } from 'drizzle-orm'
import type { DailyUseReads, UseCount, UseField, UseSelection } from '../../daily-use.ts'
import type { Engine } from '../../shared/engine.ts'

export function createDailyUseReads({ db, tables: { dailyUse, keys }, isAmong }: Engine): DailyUseReads {
  return {
    countUse: async <Field extends UseField>(selection: UseSelection, by: Field[]) => {
      const columns = Object.fromEntries(by.map((field) => [field, dailyUse[field]]))
      const isHeld = (memberId: string) => inArray(dailyUse.keyId, db.select({ id: keys.id }).from(keys).where(eq(keys.memberId, memberId)))
      const { projectIds, memberId, integration, fromDay, untilDay } = selection
      const found = await db
        .select({ ...columns, calls: sum(dailyUse.calls).mapWith(Number) })
        .from(dailyUse)
        .where(
          and(
            isAmong(dailyUse.projectId, projectIds),
            between(dailyUse.day, fromDay, untilDay),
            memberId === undefined ? undefined : isHeld(memberId),
            integration === undefined ? undefined : isOf(dailyUse.tool, integration),
          ),
        )
        .groupBy(...Object.values(columns))
      return found as unknown as UseCount<Field>[]
    },
  }
}

/** Whether a tool is one of an integration. The signs `.` and `/` follow each other. */
const isOf = (tool: Column, slug: string) => or(eq(tool, slug), and(gt(tool, `${slug}.`), lt(tool, `${slug}/`)))
