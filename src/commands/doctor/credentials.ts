import { listAllProjects } from '../../account/organizations/project.ts'
import { type Check, checksOf } from '../../agent/doctor/check.ts'
import { RULES_VERSION } from '../../secrets/credentials.ts'
import type { Service } from '../../service.ts'
import { countOf } from '../terminal/count-of.ts'

/** Projects that are named; of more only the number is told. */
const MAX_NAMED = 5

const { warning } = checksOf('service')

/** Names the projects whose records were last searched for credentials by other rules than the present ones, as after an upgrade. */
export async function checkCredentials(service: Service, projectId?: string): Promise<Check[]> {
  const all = await listAllProjects(service)
  const kept = all.filter(({ id, removedAt }) => removedAt === null && (projectId === undefined || id === projectId))
  const names = kept.filter(({ credentialRules }) => credentialRules !== RULES_VERSION).map(({ name }) => `'${name}'`)
  if (names.length === 0) return []
  const named = names.length > MAX_NAMED ? [...names.slice(0, MAX_NAMED), `${names.length - MAX_NAMED} more`] : names
  const detail = `${countOf(names.length, 'project')} with records that older rules looked for credentials in: ${named.join(', ')}`
  return [
    warning('credentials', detail, "'memsvc record scan --project NAME' searches what is there, --mask puts a mask in the place of each"),
  ]
}
