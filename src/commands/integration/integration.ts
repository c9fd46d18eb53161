import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireProject } from '../../account/organizations/project.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import { rotateCredentials } from '../../gateway/credentials.ts'
import { disableIntegration, enableIntegration, removeIntegration } from '../../gateway/integration.ts'
import { toListedTools } from '../../gateway/listed-tool.ts'
import { probeIntegration, toProbeReport, toProbeText } from '../../gateway/probe.ts'
import { acceptTools, reviewToolChanges } from '../../gateway/tool-changes.ts'
import { type DiffLine, toToolDiffs } from '../../gateway/tool-diff.ts'
import { measureListed } from '../../gateway/tool-lines.ts'
import type { Service } from '../../service.ts'
import type { Integration } from '../../store/integration.ts'
import { commandGroup } from '../command.ts'
import { onAccount, serviceCommand } from '../service-command.ts'
import { countOf, toListing } from '../terminal/text.ts'
import { addCommand, changeCommand, onIntegration } from './add.ts'

const listCommand = onAccount('list', "list an account's integrations, without their credentials", {
  act: async (service, { id: accountId }) => {
    const { control } = service.store
    const projects = new Map((await control.list('projects', { accountId })).map(({ id, name }) => [id, name]))
    const integrations = await control.list('integrations', { accountId })
    const withheld = await control.countWithheldTools(integrations.map(({ id }) => id))
    return Promise.all(integrations.map((one) => toJson(service, projects, one, withheld.get(one.id) ?? 0)))
  },
  toText: (integrations) =>
    toListing(
      integrations,
      {
        SLUG: 'slug',
        NAME: 'name',
        MODE: 'mode',
        PROJECTS: ({ projects }) => projects.join(', ') || '-',
        TOOLS: ({ tools }) => tools?.join(', ') ?? 'all',
        WITHHELD: 'withheld',
        URL: 'url',
      },
      'no integrations',
    ),
})

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

const toggle = (verb: 'enable' | 'disable', help: string, act: typeof enableIntegration) =>
  onIntegration(verb, help, {
    options: { '--project <project>': { help: 'name or id', isRequired: true } },
    act: async (service, integration, { project: ref }) => {
      const project = await requireProject(service, ref, await requireAccount(service, integration.accountId))
      await act(service, COMMAND_LINE, { integration, project })
      const adds = verb === 'enable' ? await measureTools(service, integration) : undefined
      return { slug: integration.slug, project: project.name, enabled: verb === 'enable', ...adds }
    },
    toText: ({ slug, project, tools = 0, characters = 0 }) =>
      `${verb}d ${slug} for project '${project}'${tools === 0 ? '' : `; its ${countOf(tools, 'tool')} ${tools === 1 ? 'adds' : 'add'} ${characters} characters to every session: 'memsvc integration change ${slug} --tool …' chooses`}`,
  })

/** How many tools of an integration are listed, and their characters; nothing before its server was asked. */
async function measureTools(
  { store }: Service,
  integration: Integration,
): Promise<{ tools?: number; characters?: number }> {
  const stored = await store.control.find('toolLists', { integrationId: integration.id })
  return stored === undefined ? {} : measureListed(await toListedTools(integration, stored.tools, stored.accepted))
}

const testCommand = onIntegration('test', 'ask its server for its tools, and say which of them are used', {
  act: async (service, integration) =>
    toProbeReport(integration, await probeIntegration(service, COMMAND_LINE, integration)),
  toText: toProbeText,
  refusal: ({ slug, works }) => (works ? undefined : `integration '${slug}' does not work`),
})

const removeCommand = onIntegration('remove', 'forget a server and its credential', {
  act: async (service, integration) => {
    await removeIntegration(service, COMMAND_LINE, integration)
    return { slug: integration.slug, removed: true }
  },
  toText: ({ slug }) => `removed ${slug}`,
})

const rotateSecretCommand = serviceCommand(
  'rotate-secret',
  'encrypt every credential, of every account, with a new key',
  {
    act: async (service) => ({ credentials: await rotateCredentials(service, COMMAND_LINE) }),
    toText: ({ credentials }) => `credentials encrypted with the new key: ${credentials}`,
  },
)

const changesCommand = onIntegration(
  'changes',
  'show the tools that are withheld, since its server changed or added them',
  {
    act: async (service, integration) => {
      const { changes, total, seen } = await reviewToolChanges(service, COMMAND_LINE, integration)
      const diffs = await toToolDiffs(changes)
      const tools = changes.map(({ before, after }, at) => ({
        tool: after.name,
        is_new: before === undefined,
        diff: toDiffText(diffs[at] ?? []),
      }))
      return { slug: integration.slug, withheld: total, seen, tools }
    },
    toText: ({ slug, withheld, seen, tools }) => {
      if (withheld === 0) return `${slug} has no tools that wait to be accepted`
      const shown = tools.map(({ tool, is_new, diff }) => `${tool} (${is_new ? 'new' : 'changed'})\n${diff}\n`)
      const more = withheld > tools.length ? `${withheld - tools.length} more are shown once these are accepted\n` : ''
      return `${shown.join('\n')}\n${more}accept with: memsvc integration accept ${slug} --seen ${seen}`
    },
  },
)

const MARKS: Record<DiffLine['kind'], string> = { same: '  ', removed: '- ', added: '+ ', gap: '  ' }

function toDiffText(lines: DiffLine[]): string {
  return lines.map(({ kind, text }) => MARKS[kind] + text).join('\n')
}

const acceptCommand = onIntegration('accept', 'offer tools whose changes you have seen', {
  options: {
    '--seen <code>': {
      help: "what 'integration changes' ends with; it stands for exactly the changes that were shown",
      isRequired: true,
    },
    '--tool <tool>': 'accept only this tool, by its own name',
  },
  act: async (service, integration, { seen, tool }) => ({
    slug: integration.slug,
    accepted: await acceptTools(service, COMMAND_LINE, integration, { seen, tool }),
  }),
  toText: ({ slug, accepted }) => `${slug} offers ${accepted.join(', ')} from the next call on`,
})

export const integrationCommand = commandGroup('integration', 'manage other MCP servers whose tools projects may use', [
  addCommand,
  listCommand,
  testCommand,
  changesCommand,
  acceptCommand,
  changeCommand,
  toggle('enable', "show its tools to a project's keys, from their next call", enableIntegration),
  toggle('disable', "hide its tools from a project's keys", disableIntegration),
  removeCommand,
  rotateSecretCommand,
])
