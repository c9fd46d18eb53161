import { discover } from '../../agent/histories/discover.ts'
import { readHistory } from '../../agent/histories/read.ts'
import { readOrBegin, toFolders, withFolders } from '../../agent/histories/sync/consent.ts'
import { isOf } from '../../agent/histories/sync/folders.ts'
import { planUpload, readSample, toLastAt } from '../../agent/histories/sync/plan.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'
import { askTarget } from './context.ts'
import { toPlanText, toSessionTable } from './show-plan.ts'

type Options = { client?: string; sessions?: true; json?: true }

/** `memsvc sync preview`: shows what would be uploaded, and changes nothing. */
export async function previewSync(cli: Cli, named: string[], options: Options): Promise<void> {
  const { home } = machineOf(cli)
  const { environment, info, target } = await askTarget(cli, options)
  const agreed = await readOrBegin(environment)
  const own = agreed.folders.filter((folder) => isOf(target, folder))
  const others = named.length > 0 || own.length === 0 ? await toFolders(named, process.cwd(), home) : []
  const settings = withFolders(agreed, others, target, info, null)
  const folders = others.length === 0 ? own : settings.folders.filter(({ folder }) => others.includes(folder))
  const plan = await planUpload(
    { environment, home },
    discover,
    { ...settings, folders: others.length === 0 ? settings.folders : folders },
    target,
    cli.clock.now(),
  )
  const sample = await readSample(plan, readHistory)
  const sessions = plan.sessions.map((source) => ({
    assistant: source.assistant,
    session: source.sessionId,
    bytes: source.bytes,
    last: toLastAt(source),
    folder: source.cwd,
  }))
  if (options.json) return void (await cli.out(`${JSON.stringify({ folders, ...plan, sessions, sample: sample ?? null })}\n`))
  await cli.out(toPlanText(folders, info, plan, sample))
  if (options.sessions) await cli.out(`\n${toSessionTable(plan)}\n`)
}
