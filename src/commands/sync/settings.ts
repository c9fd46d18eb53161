import { discover } from '../../agent/histories/discover.ts'
import { disable, exclude, pause, resume } from '../../agent/histories/sync/consent.ts'
import { Refusal } from '../../errors.ts'
import { ASSISTANTS } from '../../transcripts/format.ts'
import { localCommand } from '../command.ts'
import { machineOf } from '../machine.ts'
import { toChoice } from '../terminal/text.ts'

/** What is said where the state folder had no room for less than was agreed. */
const REMOVED =
  "The state folder has no room to keep that, so all that was agreed was removed: nothing is uploaded until 'memsvc sync enable'.\n"

export const pauseCommand = localCommand('pause', 'pause uploads until they are resumed', {
  act: async ({ environment, out }) => {
    const isKept = await pause(environment)
    await out(isKept ? "Paused: nothing is uploaded until 'memsvc sync resume'.\n" : REMOVED)
  },
})

export const resumeCommand = localCommand('resume', 'resume uploads after a pause', {
  act: async ({ environment, clock, out }) => {
    await resume(environment, clock.now())
    await out('Uploads go on.\n')
  },
})

export const disableCommand = localCommand('disable', 'stop uploading folders; what is uploaded stays', {
  arguments: { '[folders...]': 'all if none is named' },
  act: async (cli, _options, ...named) => {
    const { folders: ended, isKept } = await disable(cli.environment, named, process.cwd(), machineOf(cli).home)
    if (ended.length === 0) throw new Refusal('no session histories are uploaded')
    const folders = ended.map(({ folder }) => `  ${folder}\n`).join('')
    const removed = isKept ? '' : REMOVED
    await cli.out(
      `${removed}No longer uploaded are the sessions of:\n${folders}What was uploaded stays; 'memsvc sync forget --all' erases it.\n`,
    )
  },
})

export const excludeCommand = localCommand(
  'exclude',
  'keep sessions on this machine although their folder is uploaded: those of folders, of an assistant, or a single one; without arguments, list what is kept',
  {
    arguments: { '[patterns...]': "folders, or globs of paths in quotes, such as '~/work/**/private'" },
    options: {
      '--assistant <name>': `all sessions of ${toChoice(ASSISTANTS)}`,
      '--session <session>': 'one session and its subagents, by the id of its assistant or its beginning',
      '--remove': 'no longer exclude them',
    },
    act: async (cli, { assistant, session, remove = false }, ...patterns) => {
      const isNamed = patterns.length > 0 || assistant !== undefined || session !== undefined
      if (remove && !isNamed) throw new Refusal('name what is to be removed')
      const machine = machineOf(cli)
      const sessionIds = async () =>
        (await discover(machine, new Map(), cli.clock.now())).map(({ sessionId }) => sessionId)
      const place = { dir: process.cwd(), home: machine.home, sessionIds }
      const excluded = await exclude(cli.environment, { patterns, assistant, session }, remove, place)
      const kept = excluded.map((one) => `  ${toExcluded(one)}\n`).join('')
      await cli.out(excluded.length === 0 ? 'Nothing is excluded.\n' : `These sessions stay here:\n${kept}`)
      if (isNamed && !remove) await cli.out("What was uploaded of them stays; 'memsvc sync forget' erases it.\n")
    },
  },
)

/** An exclusion as people read it. */
export const toExcluded = (one: string) => one.replace(/^assistant:/, 'sessions of ').replace(/^session:/, 'session ')
