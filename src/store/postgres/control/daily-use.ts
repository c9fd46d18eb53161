import { and, asc, between, eq, gt, inArray, lt, or, type SQL, sql, sum } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { DailyUseReads, DailyUseWrites, UseCount, UseField, UseSelection } from '../../daily-use.ts'
import { isAmong } from '../among.ts'
import type { Run } from '../run.ts'
import { keys } from '../schema/control.ts'
import { usageDaily } from '../schema/daily-use.ts'

export function createDailyUseReads(run: Run): DailyUseReads {
  return {
    countUse: <Field extends UseField>(selection: UseSelection, by: Field[]) =>
      run(async ({ db }) => {
        const columns: Record<string, PgColumn> = Object.fromEntries(by.map((field) => [field, usageDaily[field]]))
        const isHeld = (memberId: string) =>
          inArray(usageDaily.keyId, db.select({ id: keys.id }).from(keys).where(eq(keys.memberId, memberId)))
        const { projectIds, memberId, integration, fromDay, untilDay } = selection
        const found = await db
          .select({ ...columns, calls: sum(usageDaily.calls).mapWith(Number) })
          .from(usageDaily)
          .where(
            and(
              isAmong(usageDaily.projectId, projectIds),
              between(usageDaily.day, fromDay, untilDay),
              memberId === undefined ? undefined : isHeld(memberId),
              integration === undefined ? undefined : isOf(integration),
            ),
          )
          .groupBy(...Object.values(columns))
        return found as UseCount<Field>[]
      }),
  }
}

/** Whether a tool is one of an integration. The signs `.` and `/` follow each other. */
const isOf = (slug: string): SQL | undefined =>
  or(eq(usageDaily.tool, slug), and(gt(usageDaily.tool, `${slug}.`), lt(usageDaily.tool, `${slug}/`)))

export function createDailyUseWrites(run: Run): DailyUseWrites {
  const { projectId, day, tool, keyId, outcome, durationMs } = usageDaily
  return {
    addDailyUse: (uses) =>
      run(async ({ db }) => {
        for (const use of uses)
          await db
            .insert(usageDaily)
            .values(use)
            .onConflictDoUpdate({
              target: [projectId, day, tool, keyId, outcome, durationMs],
              set: { calls: sql`${usageDaily.calls} + excluded.calls` },
            })
      }),
    purgeDailyUse: (beforeDay, limit) =>
      run(async ({ db }) => {
        const old = db.select({ row: sql`ctid` }).from(usageDaily).where(lt(day, beforeDay)).orderBy(asc(day)).limit(limit)
        return (await db.delete(usageDaily).where(inArray(sql`ctid`, old)).returning({ day })).length
      }),
  }
}
