import { Command } from 'commander'
import { tidy } from '../account/upkeep.ts'
import { reindexProject } from '../memory/search/index/reindex.ts'
import type { Cli } from './cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from './options.ts'
import { defineCommand } from './report.ts'
import { countOf } from './terminal/count-of.ts'

/** `memsvc reindex` */
export function reindexCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('reindex').description("rebuild a project's search index, also while the service runs"))
  return defineCommand(cli, command, {
    act: async (service, named: ProjectOptions) => {
      const project = await findProject(service, named)
      const records = await reindexProject(service.store.project(project.id))
      await tidy(service)
      return { project: project.name, records }
    },
    toText: ({ project, records }) => `rebuilt the index of '${project}': ${countOf(records, 'record')}`,
  })
}
