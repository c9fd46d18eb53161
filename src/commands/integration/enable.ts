import type { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireProject } from '../../account/organizations/project.ts'
import { disableIntegration, enableIntegration } from '../../gateway/integration.ts'
import type { Service } from '../../service.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { type AccountOption, aboutIntegration, findIntegration } from './find.ts'

type Options = AccountOption & { project: string }

/** `memsvc integration enable` */
export function enableCommand(cli: Cli): Command {
  return defineCommand(cli, aboutProject('enable', "show its tools to a project's keys, from their next call"), {
    act: async (service, options: Options, slug) => {
      const { integration, project } = await find(service, options, slug)
      await enableIntegration(service, integration, project, COMMAND_LINE)
      return { slug: integration.slug, project: project.name, enabled: true }
    },
    toText: ({ slug, project }) => `enabled ${slug} for project '${project}'`,
  })
}

/** `memsvc integration disable` */
export function disableCommand(cli: Cli): Command {
  return defineCommand(cli, aboutProject('disable', "hide its tools from a project's keys"), {
    act: async (service, options: Options, slug) => {
      const { integration, project } = await find(service, options, slug)
      await disableIntegration(service, integration, project, COMMAND_LINE)
      return { slug: integration.slug, project: project.name, enabled: false }
    },
    toText: ({ slug, project }) => `disabled ${slug} for project '${project}'`,
  })
}

function aboutProject(name: string, does: string): Command {
  return aboutIntegration(name, does).requiredOption('--project <project>', 'name or id')
}

async function find(service: Service, options: Options, slug: string) {
  const integration = await findIntegration(service, options, slug)
  const project = await requireProject(service, options.project, await requireAccount(service, integration.accountId))
  return { integration, project }
}
