import type { Limits } from '../../../account/limits/plan.ts'
import { CountedRefusal } from '../../../errors.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { Usage } from '../../../store/record.ts'

/** @throws Refusal if so many more records and bytes would exceed the plan's limits; never for fewer bytes. */
export async function requireRoom(reads: ProjectReads, added: Usage, limits: Limits): Promise<void> {
  const { records, contentBytes } = await reads.readUsage()
  const fits =
    records + added.records <= limits.records &&
    (added.contentBytes <= 0 || contentBytes + added.contentBytes <= limits.contentBytes)
  if (!fits) throw new CountedRefusal('memory_limit', 'project memory limit exceeded')
}
