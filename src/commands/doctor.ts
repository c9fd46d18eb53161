import { Command } from 'commander'
import { listAllProjects } from '../account/organizations/project.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import type { Project } from '../store/account.ts'
import type { IndexCheck } from '../store/search.ts'
import { ANALYZER_VERSION } from '../text/analyzer.ts'
import { type Cli, withService } from './cli.ts'
import { findProject } from './options.ts'
import { toTable } from './terminal/table.ts'

type Options = { project?: string; account?: string; json?: true }
type CheckedProject = IndexCheck & { project: string; id: string; current: boolean; well: boolean }

/** `memsvc doctor`: compares the search index of projects with their records. Exit status 1 where they differ. */
export function doctorCommand(cli: Cli): Command {
  return new Command('doctor')
    .description('compare the search index of each project with its records')
    .option('--project <project>', 'name or id; every project without it')
    .option('--account <account>', 'name or id, where several accounts have a project of that name')
    .option('--json', 'print one JSON value')
    .action(async (options: Options) => {
      const checked = await withService(cli, (service) => checkAll(service, options))
      cli.out(options.json ? `${JSON.stringify(checked)}\n` : `${toText(checked)}\n`)
      const broken = checked.filter(({ well }) => !well).map(({ project }) => `'${project}'`)
      if (broken.length > 0)
        throw new Refusal(`the index of ${broken.join(', ')} is not as it should be; 'memsvc reindex --project <project>' mends it`)
    })
}

async function checkAll(service: Service, { project, account }: Options): Promise<CheckedProject[]> {
  const named = project === undefined ? undefined : await findProject(service, { project, ...(account !== undefined && { account }) })
  const projects = named === undefined ? await listAllProjects(service) : [named]
  const checked: CheckedProject[] = []
  for (const one of projects.filter(({ removedAt }) => removedAt === null)) checked.push(await check(service, one))
  return checked
}

async function check({ store }: Service, { id, name }: Project): Promise<CheckedProject> {
  const check = await store.project(id).checkIndex()
  const indexing = await store.project(id).readIndexing()
  const current = indexing === undefined || (indexing.rules === ANALYZER_VERSION && indexing.target === ANALYZER_VERSION)
  const well = check.sound && check.missing + check.orphaned + check.miscounted === 0
  return { project: name, id, ...check, current, well }
}

function toText(checked: CheckedProject[]): string {
  const rows = checked.map(({ project, records, missing, orphaned, miscounted, sound, current }) => [
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
