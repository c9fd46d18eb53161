import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireProject } from '../../account/organizations/project.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import { rotateCredentials } from '../../gateway/credentials.ts'
import { disableIntegration, enableIntegration, removeIntegration, replaceHeaders } from '../../gateway/integration.ts'
import { probeIntegration, toProbeReport, toProbeText } from '../../gateway/probe.ts'
import type { Service } from '../../service.ts'
import type { Integration } from '../../store/integration.ts'
import type { Cli } from '../cli.ts'
import { accountOption } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toTable } from '../terminal/table.ts'
import { addCommand } from './add.ts'
import { changeCommand } from './change.ts'
import { acceptCommand, changesCommand } from './changes.ts'
import { type HeaderOptions, readHeaderOptions, withHeaders } from './headers.ts'
import { type AccountOption, requireNamedIntegration, toIntegrationCommand } from './named.ts'

/** In the order of `memsvc integration --help`. */
const COMMANDS = [
  addCommand,
  listCommand,
  testCommand,
  changesCommand,
  acceptCommand,
  changeCommand,
  enableCommand,
  disableCommand,
  credentialsCommand,
  removeCommand,
  rotateSecretCommand,
]

/** `memsvc integration add|list|test|changes|accept|change|enable|disable|credentials|remove|rotate-secret` */
export function integrationCommand(cli: Cli): Command {
  const command = new Command('integration').description('manage other MCP servers whose tools projects may use')
  for (const make of COMMANDS) command.addCommand(make(cli))
  return command
}

function listCommand(cli: Cli): Command {
  const command = new Command('list').description("list an account's integrations, without their credentials").addOption(accountOption())
  return defineCommand(cli, command, {
    act: async (service, options: AccountOption) => {
      const { id } = await requireAccount(service, options.account)
      const projects = new Map(
        (await service.store.control.list('projects', { accountId: id })).map((project) => [project.id, project.name]),
      )
      const integrations = await service.store.control.list('integrations', { accountId: id })
      const withheld = await service.store.control.countWithheldTools(integrations.map((integration) => integration.id))
      return Promise.all(integrations.map((one) => toJson(service, projects, one, withheld.get(one.id) ?? 0)))
    },
    toText: (rows) =>
      toTable(
        ['SLUG', 'NAME', 'MODE', 'PROJECTS', 'TOOLS', 'WITHHELD', 'URL'],
        rows.map((row) => [
          row.slug,
          row.name,
          row.mode,
          row.projects.join(', ') || '-',
          row.tools?.join(', ') ?? 'all',
          String(row.withheld),
          row.url,
        ]),
        'no integrations',
      ),
  })
}

async function toJson({ store }: Service, projects: Map<string, string>, integration: Integration, withheld: number) {
  const { id, slug, name, url, mode, tools, timeoutMs, maxBytes, stateful, createdAt } = integration
  const enabled = await store.control.list('enabledIntegrations', { integrationId: id })
  return {
    id,
    slug,
    name,
    url,
    mode,
    tools,
    timeout_ms: timeoutMs,
    max_bytes: maxBytes,
    stateful,
    withheld,
    projects: enabled.map(({ projectId }) => projects.get(projectId) ?? projectId).sort(),
    created_at: toIsoTimeOrNull(createdAt),
  }
}

type ProjectOption = AccountOption & { project: string }

function enableCommand(cli: Cli): Command {
  return toggle(cli, 'enable', "show its tools to a project's keys, from their next call", enableIntegration)
}

function disableCommand(cli: Cli): Command {
  return toggle(cli, 'disable', "hide its tools from a project's keys", disableIntegration)
}

function toggle(cli: Cli, verb: 'enable' | 'disable', description: string, act: typeof enableIntegration): Command {
  const command = toIntegrationCommand(verb, description).requiredOption('--project <project>', 'name or id')
  return defineCommand(cli, command, {
    act: async (service, options: ProjectOption, slug) => {
      const { integration, project } = await find(service, options, slug)
      await act(service, COMMAND_LINE, { integration, project })
      return { slug: integration.slug, project: project.name, enabled: verb === 'enable' }
    },
    toText: ({ slug, project }) => `${verb}d ${slug} for project '${project}'`,
  })
}

async function find(service: Service, options: ProjectOption, slug: string) {
  const integration = await requireNamedIntegration(service, options, slug)
  const project = await requireProject(service, options.project, await requireAccount(service, integration.accountId))
  return { integration, project }
}

function testCommand(cli: Cli): Command {
  return defineCommand(cli, toIntegrationCommand('test', 'ask its server for its tools, and say which of them are used'), {
    act: async (service, options: AccountOption, slug) => {
      const integration = await requireNamedIntegration(service, options, slug)
      return toProbeReport(integration, await probeIntegration(service, COMMAND_LINE, integration))
    },
    toText: toProbeText,
    refusal: ({ slug, works }) => (works ? undefined : `integration '${slug}' does not work`),
  })
}

function credentialsCommand(cli: Cli): Command {
  const command = withHeaders(toIntegrationCommand('credentials', 'give new values to headers; those that are not named stay'))
  return defineCommand(cli, command, {
    act: async (service, options: AccountOption & HeaderOptions, slug) => {
      const integration = await requireNamedIntegration(service, options, slug)
      const names = await replaceHeaders(service, COMMAND_LINE, integration, await readHeaderOptions(cli, options))
      return { slug: integration.slug, headers: names }
    },
    toText: (done) => `${done.slug} is sent ${done.headers.join(', ') || 'no headers'}`,
  })
}

function removeCommand(cli: Cli): Command {
  return defineCommand(cli, toIntegrationCommand('remove', 'forget a server and its credential'), {
    act: async (service, options: AccountOption, slug) => {
      const integration = await requireNamedIntegration(service, options, slug)
      await removeIntegration(service, COMMAND_LINE, integration)
      return { slug: integration.slug, removed: true }
    },
    toText: (done) => `removed ${done.slug}`,
  })
}

function rotateSecretCommand(cli: Cli): Command {
  const command = new Command('rotate-secret').description('encrypt every credential, of every account, with a new key')
  return defineCommand(cli, command, {
    act: async (service) => ({ credentials: await rotateCredentials(service, COMMAND_LINE) }),
    toText: (done) => `credentials encrypted with the new key: ${done.credentials}`,
  })
}
