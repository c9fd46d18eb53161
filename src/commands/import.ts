import { createReadStream, existsSync, statSync } from 'node:fs'
import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { requireMember } from '../account/organizations/member.ts'
import { tidy } from '../account/upkeep.ts'
import { Refusal } from '../errors.ts'
import type { Item } from '../memory/transfer/entry.ts'
import { importRecords } from '../memory/transfer/import-records.ts'
import { readJsonLines } from '../memory/transfer/read-json-lines.ts'
import { isNote, readNotes } from '../memory/transfer/read-notes.ts'
import type { Cli } from './cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from './options.ts'
import { defineCommand } from './report.ts'
import { createProgress } from './terminal/progress.ts'

type Options = ProjectOptions & { workspace?: string; member?: string }

/** How many refusals the value of `--json` contains; all are printed to standard error. */
const MAX_REPEATED = 1_000

/** `memsvc import` */
export function importCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('import'))
    .description(
      "save records from JSON Lines (an export, remember's arguments, or the file of the reference memory server) or from Markdown notes; what is there already is passed over",
    )
    .argument('<file>', "a file of JSON Lines, '-' for standard input, a note, or a folder of notes")
    .option('--workspace <name>', 'save all into this workspace, whatever the file says')
    .option('--member <member>', 'e-mail or id of who saves what names no author of the account')
  return defineCommand(cli, command, {
    act: async (service, { workspace, member: memberRef, ...named }: Options, file = '') => {
      const items = orRefuse(file, openItems(cli, file))
      const project = await findProject(service, named)
      const account = await requireAccount(service, project.accountId)
      const member = memberRef === undefined ? undefined : await requireMember(service, COMMAND_LINE, memberRef, account)
      let isStopped = false
      cli.interrupted().then(() => {
        isStopped = true
      })
      const refusals: { where: string; reason: string }[] = []
      const progress = createProgress(cli)
      const counts = await importRecords(service, COMMAND_LINE, {
        projectId: project.id,
        workspace,
        member,
        items,
        watch: {
          refused: (where, reason) => {
            if (refusals.length < MAX_REPEATED) refusals.push({ where, reason })
            progress.say(`${where}: ${reason}`)
          },
          progress: ({ saved, there, refused }) => progress.show(`${saved} saved, ${there} there already, ${refused} refused`),
          isStopped: () => isStopped,
        },
      })
      progress.end()
      const { saved, there, forgotten, refused, byUnknownAuthors } = counts
      const stopped = isStopped
      if (!stopped) await tidy(service)
      return { saved, there, forgotten, refused, by_unknown_authors: byUnknownAuthors, stopped, refusals }
    },
    toText: ({ saved, there, forgotten, refused, by_unknown_authors: unknown }) =>
      [
        `${saved} saved, ${there} there already, ${refused} refused`,
        ...(forgotten > 0 ? [`${forgotten} were forgotten here and stay so; 'memsvc record restore' brings them back`] : []),
        ...(unknown > 0
          ? [`${unknown} of the saved name an author whom the account does not know; they are now by whoever imported them`]
          : []),
      ].join('\n'),
    refusal: ({ refused, stopped }) => {
      if (stopped) return 'stopped before the end; the same command goes on from there'
      return refused > 0 ? `${refused} could not be saved` : undefined
    },
  })
}

function openItems(cli: Cli, file: string): AsyncIterable<Item> {
  if (file === '-') return readJsonLines(cli.input())
  if (!existsSync(file)) throw new Refusal(`there is no file '${file}'`)
  return statSync(file).isDirectory() || isNote(file) ? readNotes(file) : readJsonLines(createReadStream(file))
}

/** The items of a file. Throws a Refusal where the file system refuses to read it. */
async function* orRefuse(file: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`cannot read '${file}': ${error.message}`)
    throw error
  }
}
