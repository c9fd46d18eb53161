import { forget, requireSession, rescan } from '../../agent/histories/sync/erase.ts'
import type { Uploader } from '../../agent/histories/sync/pass.ts'
import type { SessionName } from '../../agent/histories/sync/sources.ts'
import { wakeUploads } from '../../agent/histories/sync/wake.ts'
import { Refusal } from '../../errors.ts'
import { localCommand } from '../command.ts'
import { isAgreed } from '../terminal/ask.ts'
import { countOf } from '../terminal/text.ts'
import { askTarget, CLIENT, withUploader, YES } from './context.ts'

type Erasure = {
  /** The help of `--all`. */
  all: string
  /** What it does, for the question. */
  verb: string
  /** Returns the number of histories. */
  act: (uploader: Uploader, session: SessionName | undefined) => Promise<number>
  toText: (histories: string) => string
}

const eraseCommand = (name: string, help: string, { all, verb, act, toText }: Erasure) =>
  localCommand(name, help, {
    arguments: {
      '[session]': 'id of a session, of its assistant or as in the list of memsvc history, or its beginning',
    },
    options: { '--all': all, ...YES, ...CLIENT },
    act: async (cli, options, named?: string) => {
      if ((named === undefined) === (options.all === undefined)) throw new Refusal('name one session, or give --all')
      const found = await askTarget(cli, options)
      await withUploader(cli, found, async (uploader) => {
        const session = named === undefined ? undefined : requireSession(uploader.database, found, named)
        const what =
          session === undefined ? 'all sessions that were uploaded from here' : `session ${session.sessionId}`
        const question = `${verb} ${what}, at ${found.target.endpoint} in project '${found.info.project}'?`
        if (!(await isAgreed(cli, options.yes, question))) return cli.err('nothing was changed\n')
        await cli.out(`${toText(countOf(await act(uploader, session), 'history', 'histories'))}\n`)
      })
    },
  })

export const forgetCommand = eraseCommand(
  'forget',
  'erase sessions at the service, for good, and never upload them again from here',
  {
    all: 'all sessions uploaded from here to the project of the key',
    verb: 'Erase',
    act: forget,
    toText: (histories) => `Erased ${histories} at the service; none is uploaded again from here.`,
  },
)

export const rescanCommand = eraseCommand(
  'rescan',
  'erase sessions at the service and upload them again, for example after the redaction rules changed; only sessions that are still here',
  {
    all: 'all sessions that are still here',
    verb: 'Erase, and upload again,',
    act: async (uploader, session) => {
      const count = await rescan(uploader, session)
      await wakeUploads(uploader.machine.environment, uploader.now())
      return count
    },
    toText: (histories) => `${histories} will be uploaded again by the next agent that runs, or by 'memsvc sync now'.`,
  },
)
