import { Command } from 'commander'
import { requireAccount } from '../../account/organizations/account.ts'
import type { Service } from '../../service.ts'
import type { Integration } from '../../store/integration.ts'
import { accountOption } from '../account-option.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { toIsoTime, toTable } from '../terminal/table.ts'
import type { AccountOption } from './find.ts'

/** `memsvc integration list` */
export function listCommand(cli: Cli): Command {
  const command = new Command('list').description("an account's integrations, never their credentials").addOption(accountOption())
  return defineCommand(cli, command, {
    act: async (service, options: AccountOption) => {
      const { id } = await requireAccount(service, options.account)
      const projects = new Map((await service.store.control.listProjects(id)).map((project) => [project.id, project.name]))
      const integrations = await service.store.control.listIntegrations(id)
      return Promise.all(integrations.map((integration) => toListed(service, projects, integration)))
    },
    toText: (rows) =>
      toTable(
        ['SLUG', 'NAME', 'MODE', 'PROJECTS', 'TOOLS', 'URL'],
        rows.map((row) => [row.slug, row.name, row.mode, row.projects.join(', ') || '-', row.tools?.join(', ') ?? 'all', row.url]),
        'no integrations',
      ),
  })
}

async function toListed({ store }: Service, projects: Map<string, string>, integration: Integration) {
  const { id, slug, name, url, mode, tools, timeoutMs, maxBytes, createdAt } = integration
  const enabled = await store.control.listEnabledProjects(id)
  return {
    id,
    slug,
    name,
    url,
    mode,
    tools,
    timeout_ms: timeoutMs,
    max_bytes: maxBytes,
    projects: enabled.map((project) => projects.get(project) ?? project).sort(),
    created_at: toIsoTime(createdAt),
  }
}
