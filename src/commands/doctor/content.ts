import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { listAllProjects } from '../../account/organizations/project.ts'
import { type Check, checksOf } from '../../agent/doctor/check.ts'
import { StorageRefusal } from '../../errors.ts'
import { probeIntegration } from '../../gateway/probe.ts'
import { settleOrphans } from '../../memory/records/save/heirs.ts'
import { findTwinWorkspaces } from '../../memory/workspaces/workspace.ts'
import { RULES_VERSION } from '../../secrets/credentials.ts'
import { createGate } from '../../semaphore.ts'
import type { Service } from '../../service.ts'
import type { Integration } from '../../store/integration.ts'
import { countOf } from '../terminal/text.ts'

/** Servers that are asked at the same time. */
const MAX_CONCURRENT = 16

const { ok, warning, problem } = checksOf('service')

/** Asks each integration of all accounts for its tools. */
export async function checkIntegrations(service: Service): Promise<Check[]> {
  const accounts = await service.store.control.list('accounts', {})
  const integrations = (
    await Promise.all(accounts.map(({ id }) => service.store.control.list('integrations', { accountId: id })))
  ).flat()
  const gate = createGate(MAX_CONCURRENT)
  return Promise.all(integrations.map((integration) => gate(() => checkIntegration(service, integration))))
}

async function checkIntegration(service: Service, integration: Integration): Promise<Check> {
  const { failure, milliseconds, withheld } = await probeIntegration(service, COMMAND_LINE, integration)
  const name = `integration '${integration.slug}'`
  const test = `'memsvc integration test ${integration.slug}'`
  if (failure !== undefined) return problem(name, failure.text, test)
  if (withheld.length > 0)
    return warning(
      name,
      `${countOf(withheld.length, 'tool')} ${withheld.length === 1 ? 'is' : 'are'} withheld`,
      `'memsvc integration changes ${integration.slug}'`,
    )
  return ok(name, `answers in ${milliseconds} ms`)
}

/**
 * Settles facts that have no current record, as a crash may leave them, and looks for workspaces whose names differ
 * only in case. Returns a check of each project where there were some.
 */
export async function settleFacts(
  service: Service,
  projectIds: string[],
  names: Map<string, string>,
): Promise<Check[]> {
  const checks: Check[] = []
  for (const id of projectIds) {
    const name = names.get(id) ?? id
    checks.push(...(await settleFactsOf(service, id, `facts of '${name}'`)), ...(await checkTwins(service, id, name)))
  }
  return checks
}

/** A name in another case finds the oldest of them, so that facts are easily split. */
async function checkTwins({ store }: Service, projectId: string, project: string): Promise<Check[]> {
  const records = store.project(projectId)
  const checks: Check[] = []
  for (const names of await findTwinWorkspaces(records)) {
    const oldest = (await records.findWorkspaceInAnyCase(names[0] ?? '', undefined))?.name ?? ''
    const others = names.filter((name) => name !== oldest)
    const merges = others.map((name) => `'memsvc workspace merge ${name} ${oldest} --project ${project}'`)
    const detail = `${names.map((name) => `'${name}'`).join(' and ')} differ only in case`
    checks.push(warning(`workspaces of '${project}'`, detail, merges.join(', ')))
  }
  return checks
}

async function settleFactsOf({ store, clock }: Service, projectId: string, title: string): Promise<Check[]> {
  try {
    const settled = await settleOrphans(store.project(projectId), clock.now())
    if (settled === 0) return []
    const detail = `${countOf(settled, 'fact')} had no current record, and ${settled === 1 ? 'has' : 'have'} one again`
    return [warning(title, detail, 'look whether it is the one that holds')]
  } catch (error) {
    if (!(error instanceof StorageRefusal)) throw error
    return [
      problem(title, `some have no current record: ${error.reason}`, 'run doctor again once the data can be written'),
    ]
  }
}

/** Projects that are named; of more only the number is told. */
const MAX_NAMED = 5

/**
 * Names the projects whose records were last searched for credentials by other rules than the present ones, as after an
 * upgrade.
 */
export async function checkCredentials(service: Service, projectId?: string): Promise<Check[]> {
  const kept = await listAllProjects(service, { id: projectId, removedAt: null })
  const names = kept.filter(({ credentialRules }) => credentialRules !== RULES_VERSION).map(({ name }) => `'${name}'`)
  if (names.length === 0) return []
  const named = names.length > MAX_NAMED ? [...names.slice(0, MAX_NAMED), `${names.length - MAX_NAMED} more`] : names
  const detail = `${countOf(names.length, 'project')} with records that older rules looked for credentials in: ${named.join(', ')}`
  return [
    warning(
      'credentials',
      detail,
      "'memsvc record scan --project NAME' searches what is there, --mask puts a mask in the place of each",
    ),
  ]
}
