import { createReadStream, existsSync, statSync } from 'node:fs'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { tidy } from '../account/upkeep.ts'
import { Refusal } from '../errors.ts'
import { REJECTED } from '../memory/rejections/pass-guard.ts'
import type { Item } from '../memory/transfer/entry.ts'
import { importRecords, type Watch } from '../memory/transfer/import-records.ts'
import { type ChangedNotes, findChangedNotes, forgetGoneNotes, type GoneNotes } from '../memory/transfer/mirror.ts'
import { readJsonLines } from '../memory/transfer/read-json-lines.ts'
import { isNote, type NoteFolder, readNoteFolder, readNotes } from '../memory/transfer/read-notes.ts'
import type { Service } from '../service.ts'
import { type Cli, watchInterrupt } from './cli.ts'
import type { MakeCommand } from './command.ts'
import { findMember, onProject } from './service-command.ts'
import { createProgress } from './terminal/progress.ts'
import { countOf } from './terminal/text.ts'

/** Maximum number of refusals in the output of `--json`; all are printed to standard error. */
const MAX_REPEATED = 1_000

export const importCommand: MakeCommand = (cli) =>
  onProject(
    'import',
    "save records from JSON Lines (an export, remember's arguments, or the file of the reference memory server) or from Markdown notes; existing records are skipped",
    {
      arguments: { '<file>': "a file of JSON Lines, '-' for standard input, a note, or a folder of notes" },
      options: {
        '--workspace <name>': 'save everything into this workspace, whatever the file says',
        '--member <member>': 'e-mail, name or id of the author of records that name no author of the account',
        '--mirror':
          'then forget the records of notes that an earlier import of this folder brought and that are gone from it',
        '--check': 'with --mirror: change nothing, and end with status 1 if the memory is stale against the folder',
        '--dry-run': 'save and forget nothing; print what would be saved, refused and forgotten',
      },
      act: async (service, project, { mirror, check, dryRun = false, workspace, member }, file = '') => {
        const items = orRefuse(file, openItems(cli, file))
        const folder = await findFolder(file)
        if (mirror && folder === undefined) throw new Refusal('--mirror needs a folder of notes')
        if (check && !mirror) throw new Refusal('--check needs --mirror and a folder of notes')
        const input = { projectId: project.id, workspace, member: await findMember(service, member, project), items }
        const forgetGone = (notes: NoteFolder, dryRun: boolean) =>
          forgetGoneNotes(service, COMMAND_LINE, { ...input, folder: notes, dryRun })
        if (check && folder !== undefined)
          return { ...(await findChangedNotes(service, COMMAND_LINE, input)), gone: await forgetGone(folder, true) }
        const summary = await importAll(cli, service, { ...input, folder: folder?.root, dryRun })
        if (!mirror || folder === undefined || summary.stopped) return summary
        return { ...summary, gone: { ...(await forgetGone(folder, dryRun)), dry_run: dryRun } }
      },
      toText: (summary: Summary | Checked) => ('changed' in summary ? toCheckedText(summary) : toSummaryText(summary)),
      refusal: (summary) => ('changed' in summary ? toStaleReason(summary) : toRefusal(summary)),
    },
  )(cli)

const toSummaryText = ({
  saved,
  there,
  forgotten,
  refused,
  by_unknown_authors: unknown,
  dry_run: dryRun,
  gone,
  refusals,
}: Summary) =>
  [
    `${saved} ${dryRun ? 'would be saved' : 'saved'}, ${there} existed already, ${refused} refused`,
    ...(forgotten > 0
      ? [`${forgotten} were forgotten here and stay forgotten; 'memsvc record restore' restores them`]
      : []),
    ...(unknown > 0
      ? [
          `${unknown} of the saved records name an author that the account does not know; they ${dryRun ? 'would be' : 'are now'} by whoever imported them`,
        ]
      : []),
    ...(gone === undefined ? [] : [toGoneText(gone)]),
    ...toNextStep(refusals),
  ].join('\n')

function toRefusal({ refused, stopped, dry_run: dryRun }: Summary): string | undefined {
  if (dryRun) return undefined
  if (stopped) return 'stopped before the end; run the same command again to continue'
  return refused > 0 ? `${refused} could not be saved` : undefined
}

/** What tells more about texts that the guard refuses, if there are any. */
const toNextStep = (refusals: Summary['refusals']) =>
  refusals.some(({ reason }) => reason === REJECTED)
    ? ["'memsvc guard explain FILE' tells why the guard refuses the text of a file"]
    : []

/**
 * What `--check` found: notes that are new or say something else than the memory, those of them that an import refuses,
 * and those that are gone from the folder.
 */
type Checked = ChangedNotes & { gone: GoneNotes }

const toCheckedText = ({ changed, refusals, gone }: Checked) =>
  [
    ...changed.map((note) => `changed: ${note}`),
    ...refusals.map(({ where, reason }) => `refused: ${where}: ${reason}`),
    ...(gone.records > 0 ? [`${countOf(gone.notes, 'note')} gone: ${countOf(gone.records, 'record')}`] : []),
    ...(changed.length === 0 && gone.records === 0
      ? [`${refusals.length > 0 ? 'otherwise ' : ''}the memory agrees with the folder`]
      : []),
    ...toNextStep(refusals),
  ].join('\n')

const toStaleReason = ({ changed, gone }: Checked) =>
  changed.length > 0 || gone.records > 0
    ? 'the memory is stale against the folder; import it again with --mirror'
    : undefined

function toGoneText({ notes, records, dry_run: dryRun }: NonNullable<Summary['gone']>): string {
  const what = `${countOf(notes, 'note')} ${notes === 1 ? 'is' : 'are'} gone: ${countOf(records, 'record')}`
  return dryRun ? `${what} would be forgotten; nothing was saved` : `${what} forgotten`
}

/** What was imported and, with `--mirror`, forgotten. `dry_run` is there only with that option. */
type Summary = Awaited<ReturnType<typeof importAll>> & { gone?: GoneNotes & { dry_run: boolean } }

async function importAll(cli: Cli, service: Service, input: Omit<Parameters<typeof importRecords>[2], 'watch'>) {
  const stop = watchInterrupt(cli)
  const refusals: { where: string; reason: string }[] = []
  const progress = createProgress(cli)
  const watch: Watch = {
    refused: (where, reason) => {
      if (refusals.length < MAX_REPEATED) refusals.push({ where, reason })
      progress.say(`${where}: ${reason}`)
    },
    progress: ({ saved, there, refused }) =>
      progress.show(`${saved} saved, ${there} existed already, ${refused} refused`),
    isStopped: stop.isStopped,
  }
  const imported = importRecords(service, COMMAND_LINE, { ...input, watch })
  const { byUnknownAuthors, ...counts } = await imported.finally(progress.end)
  const isStopped = stop.isStopped()
  if (!isStopped && !input.dryRun) await tidy(service)
  return {
    ...counts,
    by_unknown_authors: byUnknownAuthors,
    stopped: isStopped,
    ...(input.dryRun && { dry_run: true }),
    refusals,
  }
}

/** The folder of notes that the argument names; undefined if it names something else. */
async function findFolder(file: string): Promise<NoteFolder | undefined> {
  return file !== '-' && statSync(file).isDirectory() ? readNoteFolder(file) : undefined
}

function openItems(cli: Cli, file: string): AsyncIterable<Item> {
  if (file === '-') return readJsonLines(readUntilInterrupted(cli))
  if (!existsSync(file)) throw new Refusal(`there is no file '${file}'`)
  return statSync(file).isDirectory() || isNote(file) ? readNotes(file) : readJsonLines(createReadStream(file))
}

/** Standard input until its end or SIGINT or SIGTERM, also while it waits for somebody to type more at a terminal. */
async function* readUntilInterrupted({ input, interrupted }: Cli): AsyncGenerator<Uint8Array> {
  const reader = input().getReader()
  const cancel = () => reader.cancel()
  void interrupted().then(cancel)
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await cancel()
  }
}

/** The items of a file. Throws a Refusal if the file system refuses to read it. */
async function* orRefuse(file: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`cannot read '${file}': ${error.message}`)
    throw error
  }
}
