import { discover } from '../../agent/histories/discover.ts'
import { disable, exclude, pause, resume } from '../../agent/histories/sync/consent.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'

/** What is said where the state folder had no room for less than was agreed. */
const REMOVED =
  "The state folder has no room to keep that, so all that was agreed was removed: nothing is uploaded until 'memsvc sync enable'.\n"

/** `memsvc sync pause` */
export async function pauseSync(cli: Cli): Promise<void> {
  const isKept = await pause(cli.environment)
  await cli.out(isKept ? "Paused: nothing is uploaded until 'memsvc sync resume'.\n" : REMOVED)
}

/** `memsvc sync resume` */
export async function resumeSync(cli: Cli): Promise<void> {
  await resume(cli.environment, cli.clock.now())
  await cli.out('Uploads go on.\n')
}

/** `memsvc sync disable` */
export async function disableSync(cli: Cli, named: string[]): Promise<void> {
  const { folders: ended, isKept } = await disable(cli.environment, named, process.cwd(), machineOf(cli).home)
  if (ended.length === 0) throw new Refusal('no session histories are uploaded')
  const folders = ended.map(({ folder }) => `  ${folder}\n`).join('')
  const removed = isKept ? '' : REMOVED
  await cli.out(
    `${removed}No longer uploaded are the sessions of:\n${folders}What was uploaded stays; 'memsvc sync forget --all' erases it.\n`,
  )
}

/** `memsvc sync exclude` */
export async function excludeFromSync(
  cli: Cli,
  patterns: string[],
  { remove = false, assistant, session }: { remove?: boolean; assistant?: string; session?: string },
): Promise<void> {
  const isNamed = patterns.length > 0 || assistant !== undefined || session !== undefined
  if (remove && !isNamed) throw new Refusal('name what is to be removed')
  const machine = machineOf(cli)
  const sessionIds = async () => (await discover(machine, new Map(), cli.clock.now())).map(({ sessionId }) => sessionId)
  const place = { dir: process.cwd(), home: machine.home, sessionIds }
  const excluded = await exclude(cli.environment, { patterns, assistant, session }, remove, place)
  const kept = excluded.map((one) => `  ${toExcluded(one)}\n`).join('')
  await cli.out(excluded.length === 0 ? 'Nothing is excluded.\n' : `These sessions stay here:\n${kept}`)
  if (isNamed && !remove) await cli.out("What was uploaded of them stays; 'memsvc sync forget' erases it.\n")
}

/** An exclusion as people read it. */
export const toExcluded = (one: string) => one.replace(/^assistant:/, 'sessions of ').replace(/^session:/, 'session ')
