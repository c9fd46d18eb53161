import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { requireProject } from '../account/organizations/project.ts'
import { DAY_MS, toIsoTimeOrNull } from '../clock.ts'
import { listConnections, requireConnection, revokeConnection } from '../oauth/connection.ts'
import type { Service } from '../service.ts'
import type { ConnectionHolder, ConnectionSelection } from '../store/oauth.ts'
import type { Cli } from './cli.ts'
import { findAccount } from './options.ts'
import { defineCommand } from './report.ts'
import { toTable, toTableTime } from './terminal/table.ts'

/** `memsvc connection list|revoke` */
export function connectionCommand(cli: Cli): Command {
  const command = new Command('connection').description('manage hosted assistants that connected by OAuth')
  return command.addCommand(list(cli)).addCommand(revoke(cli))
}

type ListOptions = { account?: string; project?: string }

function list(cli: Cli): Command {
  const command = new Command('list')
    .description('list the connections that work now')
    .option('--account <account>', 'only of this account: name or id')
    .option('--project <project>', 'only of this project: name or id')
  return defineCommand(cli, command, {
    act: async (service, options: ListOptions) => {
      const connections = await listConnections(service, await toSelection(service, options))
      return connections.map((connection) => toJson(connection, service.clock.now()))
    },
    toText: (connections) =>
      toTable(
        ['APPLICATION', 'RETURNS TO', 'MEMBER', 'PROJECT', 'DAYS LEFT', 'LAST USED', 'ID'],
        connections.map((connection) => [
          connection.application || '-',
          connection.host,
          connection.member ?? '-',
          connection.project,
          String(connection.days_left),
          toTableTime(connection.last_used_at),
          connection.id,
        ]),
        'no connections',
      ),
  })
}

async function toSelection(service: Service, { account: ref, project }: ListOptions): Promise<ConnectionSelection> {
  const account = await findAccount(service, ref)
  const projectId = project === undefined ? undefined : (await requireProject(service, project, account)).id
  return { accountId: account?.id, projectId }
}

function revoke(cli: Cli): Command {
  const command = new Command('revoke')
    .description('end a connection; its token is refused from the next call on')
    .argument('<id>', 'as in the list')
  return defineCommand(cli, command, {
    act: async (service, _options: object, id) => {
      const found = await requireConnection(service, id)
      await revokeConnection(service, COMMAND_LINE, found)
      return { id, application: found.connection.clientName, revoked: true }
    },
    toText: ({ id }) => `revoked ${id}`,
  })
}

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
