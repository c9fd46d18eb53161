import { Command } from 'commander'
import { listAllProjects } from '../account/organizations/list-all-projects.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import type { Project } from '../store/account.ts'
import type { IndexCheck } from '../store/search.ts'
import { ANALYZER_VERSION } from '../text/analyzer.ts'
import { type Cli, withService } from './cli.ts'
import { findProject } from './find-project.ts'
import { toTable } from './terminal/table.ts'

type Options = { project?: string; account?: string; json?: true }
type Examined = IndexCheck & { project: string; id: string; current: boolean; well: boolean }

/** `memsvc doctor`: compares each project's index with its records. Status 1 where anything is wrong. */
export function doctorCommand(cli: Cli): Command {
  return new Command('doctor')
    .description('compare the search index of each project with its records')
    .option('--project <project>', 'name or id; every project without it')
    .option('--account <account>', 'name or id, where several accounts have a project of that name')
    .option('--json', 'print one JSON value')
    .action(async (options: Options) => {
      const examined = await withService(cli, (service) => examineAll(service, options))
      cli.out(options.json ? `${JSON.stringify(examined)}\n` : `${toText(examined)}\n`)
      const ill = examined.filter(({ well }) => !well).map(({ project }) => `'${project}'`)
      if (ill.length > 0)
        throw new Refusal(`the index of ${ill.join(', ')} is not as it should be; 'memsvc reindex --project <project>' mends it`)
    })
}

async function examineAll(service: Service, { project, account }: Options): Promise<Examined[]> {
  const named = project === undefined ? undefined : await findProject(service, { project, ...(account !== undefined && { account }) })
  const projects = named === undefined ? await listAllProjects(service) : [named]
  const examined: Examined[] = []
  for (const one of projects.filter(({ removedAt }) => removedAt === null)) examined.push(await examine(service, one))
  return examined
}

async function examine({ store }: Service, { id, name }: Project): Promise<Examined> {
  const check = await store.project(id).checkIndex()
  const indexing = await store.project(id).readIndexing()
  const current = indexing === undefined || (indexing.rules === ANALYZER_VERSION && indexing.target === ANALYZER_VERSION)
  const well = check.sound && check.missing + check.orphaned + check.miscounted === 0
  return { project: name, id, ...check, current, well }
}

function toText(examined: Examined[]): string {
  const rows = examined.map(({ project, records, missing, orphaned, miscounted, sound, current }) => [
    project,
    `${records}`,
    `${missing}`,
    `${orphaned}`,
    `${miscounted}`,
    sound ? 'yes' : 'no',
    current ? 'yes' : 'being made anew',
  ])
  return toTable(['PROJECT', 'RECORDS', 'MISSING', 'ORPHANED', 'MISCOUNTED', 'SOUND', 'CURRENT'], rows, 'no projects')
}
