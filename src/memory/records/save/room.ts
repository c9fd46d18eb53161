import type { Limits } from '../../../account/limits/plan.ts'
import { CountedRefusal } from '../../../errors.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { Usage } from '../../../store/record.ts'

const ADVICE = 'Forget outdated records (superseded ones count too), or ask an owner of the account for a larger plan.'

/** @throws Refusal if more records or bytes would exceed the plan's limits; never where there are no more of them. */
export async function requireRoom(reads: ProjectReads, added: Usage, limits: Limits): Promise<void> {
  const { records, contentBytes } = await reads.readUsage()
  const fits =
    (added.records <= 0 || records + added.records <= limits.records) &&
    (added.contentBytes <= 0 || contentBytes + added.contentBytes <= limits.contentBytes)
  if (!fits) throw new CountedRefusal('memory_limit', 'project memory limit exceeded', undefined, ADVICE)
}
