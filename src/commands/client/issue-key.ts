import { resolve } from 'node:path'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { issueKey, requireKey } from '../../account/keys/key.ts'
import { listAllProjects, requireProject } from '../../account/organizations/project.ts'
import type { Client } from '../../agent/clients/clients.ts'
import type { KeySource } from '../../agent/clients/registration.ts'
import { readEndpoint } from '../../agent/config.ts'
import { Refusal } from '../../errors.ts'
import { revokeKeyAndHistories } from '../../history/erase/purge.ts'
import type { Service } from '../../service.ts'
import type { Member, Project } from '../../store/account.ts'
import { hasStore } from '../../store/open-store.ts'
import { type Cli, withService } from '../cli.ts'
import { findMember } from '../service-command.ts'
import { loadConfig, toBaseUrl } from '../settings.ts'

/** `isWished` says whether a key is wanted of the service at this base URL. */
type Wish = { project?: string; member?: string; dryRun?: true; isWished: (baseUrl: string) => boolean }

/** The holder of a new key. */
type Holder = { project: Project; member: Member | undefined }

/** A service whose data is on this machine: its address, and a function that issues a key. */
type LocalService = { baseUrl: string; issue: () => Promise<KeySource> }

/**
 * The service of the data folder; undefined if there is none, or one of another address is wished. The key's holder is
 * determined now, before the person is asked, except in a dry run.
 *
 * @throws ServiceError if a key must not be sent to its address, Refusal if the given holder does not exist, or the
 *   project has to be named.
 */
export async function findLocalService(cli: Cli, client: Client, wish: Wish): Promise<LocalService | undefined> {
  const config = await loadConfig(cli)
  if (!(await hasStore(config))) return undefined
  if (!wish.isWished(toBaseUrl(config))) return undefined
  const baseUrl = readEndpoint({ SVC_ENDPOINT: toBaseUrl(config) })
  if (!wish.dryRun) await withService(cli, (service) => findHolder(service, wish))
  return { baseUrl, issue: () => withService(cli, (service) => issue(service, client, wish)) }
}

/** The address of the service of the data folder; undefined if there is none. */
export async function findLocalAddress(cli: Cli): Promise<string | undefined> {
  const config = await loadConfig(cli)
  return (await hasStore(config)) ? readEndpoint({ SVC_ENDPOINT: toBaseUrl(config) }) : undefined
}

/** Where data was looked for to issue a key from, for a person; undefined if it is there, or an address was named. */
export async function findAbsence(cli: Cli): Promise<string | undefined> {
  const config = await loadConfig(cli)
  if (cli.environment.SVC_ENDPOINT || (await hasStore(config))) return undefined
  return `There is no data in '${resolve(config.dataDir)}' to issue a key from; SVC_DATA_DIR names another folder.`
}

/** A function that revokes a key of the service of the data folder; undefined if the key is of another one. */
export async function findRevocation(cli: Cli, secret: string): Promise<(() => Promise<void>) | undefined> {
  if (!(await hasStore(await loadConfig(cli)))) return undefined
  const isKnown = await withService(cli, (service) => requireKey(service, secret)).catch((error) => {
    if (!(error instanceof Refusal)) throw error
  })
  if (isKnown === undefined) return undefined
  return () =>
    withService(cli, async (service) => revokeKeyAndHistories(service, COMMAND_LINE, await requireKey(service, secret)))
}

async function issue(service: Service, client: Client, wish: Wish): Promise<KeySource> {
  const holder = await findHolder(service, wish)
  const { secret } = await issueKey(service, COMMAND_LINE, {
    ...holder,
    label: client.name,
    toolNames: client.toolNames,
  })
  return { kind: 'settings', key: secret }
}

async function findHolder(service: Service, wish: Wish): Promise<Holder> {
  const project =
    wish.project === undefined ? await requireOnlyProject(service) : await requireProject(service, wish.project)
  const named = await findMember(service, wish.member, project)
  return { project, member: named ?? (await findOnlyMember(service, project)) }
}

async function requireOnlyProject(service: Service): Promise<Project> {
  const projects = await listAllProjects(service, { removedAt: null })
  const [only] = projects
  if (only === undefined || projects.length > 1)
    throw new Refusal(
      `name the project of the key with --project: ${projects.map(({ name }) => `'${name}'`).join(', ') || 'there is none yet'}`,
    )
  return only
}

/** The only member of the account, who then holds the key; otherwise undefined, for a service key. */
async function findOnlyMember({ store }: Service, { accountId }: Project): Promise<Member | undefined> {
  const members = await store.control.list('members', { accountId, removedAt: null })
  return members.length === 1 ? members[0] : undefined
}
