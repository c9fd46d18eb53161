import { COMMAND_LINE } from '../account/auth/actor.ts'
import { requireProject } from '../account/organizations/project.ts'
import { DAY_MS, toIsoTimeOrNull } from '../clock.ts'
import { listConnections, requireConnection, revokeConnection } from '../oauth/connection.ts'
import type { ConnectionHolder } from '../store/oauth.ts'
import { commandGroup } from './command.ts'
import { findAccount, serviceCommand } from './service-command.ts'
import { toListing } from './terminal/text.ts'

const listCommand = serviceCommand('list', 'list the connections that work now', {
  options: {
    '--account <account>': 'only of this account: name or id',
    '--project <project>': 'only of this project: name or id',
  },
  act: async (service, { account: ref, project }) => {
    const account = await findAccount(service, ref)
    const projectId = project === undefined ? undefined : (await requireProject(service, project, account)).id
    const connections = await listConnections(service, { accountId: account?.id, projectId })
    return connections.map((connection) => toJson(connection, service.clock.now()))
  },
  toText: (connections) =>
    toListing(
      connections,
      {
        APPLICATION: ({ application }) => application || '-',
        'RETURNS TO': 'host',
        MEMBER: 'member',
        PROJECT: 'project',
        'DAYS LEFT': 'days_left',
        'LAST USED': 'last_used_at',
        ID: 'id',
      },
      'no connections',
    ),
})

const revokeCommand = serviceCommand('revoke', 'end a connection; its token is refused from the next call on', {
  arguments: { '<id>': 'as in the list' },
  act: async (service, _options, id = '') => {
    const found = await requireConnection(service, id)
    await revokeConnection(service, COMMAND_LINE, found)
    return { id, application: found.connection.clientName, revoked: true }
  },
  toText: ({ id }) => `revoked ${id}`,
})

export const connectionCommand = commandGroup('connection', 'manage hosted assistants that connected by OAuth', [
  listCommand,
  revokeCommand,
])

function toJson({ connection, project, account, member, key }: ConnectionHolder, now: number) {
  return {
    id: connection.id,
    application: connection.clientName,
    client_id: connection.clientId,
    host: connection.clientHost,
    account: account.name,
    project: project.name,
    project_id: project.id,
    member: member?.email ?? null,
    key: key.shown,
    created_at: toIsoTimeOrNull(connection.createdAt),
    expires_at: toIsoTimeOrNull(connection.expiresAt),
    days_left: Math.ceil((connection.expiresAt - now) / DAY_MS),
    last_used_at: toIsoTimeOrNull(connection.lastUsedAt),
  }
}
