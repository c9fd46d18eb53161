import { forget, requireSession, rescan } from '../../agent/histories/sync/erase.ts'
import type { Uploader } from '../../agent/histories/sync/pass.ts'
import type { SessionName } from '../../agent/histories/sync/sources.ts'
import { wakeUploads } from '../../agent/histories/sync/wake.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { isAgreed } from '../terminal/ask.ts'
import { countOf } from '../terminal/text.ts'
import { askTarget, withUploader } from './context.ts'

type Options = { client?: string; all?: true; yes?: true }

/** `memsvc sync forget` */
export async function forgetSessions(cli: Cli, session: string | undefined, options: Options): Promise<void> {
  const count = await erase(cli, session, options, forget, 'Erase')
  if (count !== undefined)
    await cli.out(
      `Erased ${countOf(count, 'history', 'histories')} at the service; none is uploaded again from here.\n`,
    )
}

/** `memsvc sync rescan` */
export async function rescanSessions(cli: Cli, session: string | undefined, options: Options): Promise<void> {
  const count = await erase(cli, session, options, rescan, 'Erase, and upload again,')
  if (count === undefined) return
  await wakeUploads(cli.environment, cli.clock.now())
  await cli.out(
    `${countOf(count, 'history', 'histories')} will be uploaded again by the next agent that runs, or by 'memsvc sync now'.\n`,
  )
}

async function erase(
  cli: Cli,
  named: string | undefined,
  options: Options,
  act: (uploader: Uploader, session: SessionName | undefined) => Promise<number>,
  verb: string,
): Promise<number | undefined> {
  if ((named === undefined) === (options.all === undefined)) throw new Refusal('name one session, or give --all')
  const found = await askTarget(cli, options)
  return withUploader(cli, found, async (uploader) => {
    const session = named === undefined ? undefined : requireSession(uploader.database, found, named)
    const what = session === undefined ? 'all sessions that were uploaded from here' : `session ${session.sessionId}`
    const question = `${verb} ${what}, at ${found.target.endpoint} in project '${found.info.project}'?`
    if (!(await isAgreed(cli, options.yes, question))) return void cli.err('nothing was changed\n')
    return act(uploader, session)
  })
}
