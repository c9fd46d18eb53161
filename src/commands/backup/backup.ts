import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { type Keep, optionalKeep, optionalSpan } from '../../config/values.ts'
import type { Config } from '../../config.ts'
import { Refusal, toMessage } from '../../errors.ts'
import { isFolder, makeBackup } from '../../maintenance/backup.ts'
import { deleteSurplus } from '../../maintenance/keep.ts'
import type { Service } from '../../service.ts'
import type { Backup, Manifest } from '../../store/backup.ts'
import { backUpStore, verifyBackup } from '../../store/open-store.ts'
import { type Cli, watchInterrupt } from '../cli.ts'
import { localCommand, type MakeCommand, type OptionsOf, readOption } from '../command.ts'
import { findProject, serviceCommand } from '../service-command.ts'
import { createProgress } from '../terminal/progress.ts'
import { countOf, toCounts, toSize } from '../terminal/text.ts'

const OPTIONS = {
  '--project <project>': 'only this project: name or id',
  '--account <account>': 'name or id; only needed if several accounts have a project of that name',
  '--keep <rule>': 'then delete older backups of the folder: 7d4w keeps the newest of 7 days and of 4 weeks',
  '--every <span>': 'keep making backups, one every 6h for example',
  '--without-key': 'leave out secret.key, which decrypts the credentials of integrations; no passphrase is asked for',
  '--json': 'print one JSON value for each backup',
}

type Options = OptionsOf<typeof OPTIONS>

/** `memsvc backup` and `memsvc backup verify` */
export const backupCommand: MakeCommand = (cli) =>
  serviceCommand('backup', 'write everything, or one project, into one file, also while the service runs', {
    arguments: { '[target]': 'a new file, or a folder; SVC_BACKUP_DIR or the current folder if left out' },
    options: OPTIONS,
    act: (service, options, target?: string) => run(cli, service, target, options),
  })(cli).addCommand(verifyCommand(cli))

async function run(cli: Cli, service: Service, target: string | undefined, options: Options): Promise<void> {
  const { config } = service
  const every = options.every === undefined ? undefined : readOption('--every', options.every, optionalSpan)
  const keep = options.keep === undefined ? undefined : readOption('--keep', options.keep, optionalKeep)
  const to = target ?? config.backupDir ?? './'
  if ((every !== undefined || keep !== undefined) && options.project !== undefined)
    throw new Refusal('--project cannot be combined with --every or --keep')
  if ((every !== undefined || keep !== undefined) && !isFolder(to))
    throw new Refusal(`--every and --keep need a folder, and '${to}' is none`)
  const stop = watchInterrupt(cli)
  const passphrase = options.withoutKey ? undefined : await choosePassphrase(cli, config)
  const once = () => backUp(cli, service, { ...options, to, keep, passphrase, isStopped: stop.isStopped })
  await once()
  if (every === undefined) return
  const report = (error: unknown) => cli.err(`memsvc: ${toMessage(error)}\n`)
  await repeat(once, () => Promise.race([Bun.sleep(every), stop.stopped]), stop.isStopped, report)
}

/**
 * Acts after each pause until `isStopped` returns true. A failure is reported, and does not end it: the next time there
 * may be room on the disk again.
 */
export async function repeat(
  act: () => Promise<void>,
  pause: () => Promise<unknown>,
  isStopped: () => boolean,
  report: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await pause()
    if (isStopped()) return
    await act().catch(report)
  }
}

type Wanted = Omit<Options, 'keep'> & {
  to: string
  keep: Keep | undefined
  passphrase: string | undefined
  isStopped: () => boolean
}

async function backUp(
  cli: Cli,
  service: Service,
  { to, keep, passphrase, isStopped, json, project: ref, account }: Wanted,
): Promise<void> {
  const progress = createProgress(cli)
  const project = ref === undefined ? undefined : await findProject(service, { project: ref, account })
  const input = { to, ...(project !== undefined && { project }), ...(passphrase !== undefined && { passphrase }) }
  const watch = {
    isStopped,
    onProgress: (done: number, all: number) => progress.show(`${done} of ${countOf(all, 'project')}`),
  }
  const backup = await makeBackup(
    service,
    COMMAND_LINE,
    input,
    (request, seen) => backUpStore(service.config, request, seen),
    watch,
  )
  progress.end()
  const deleted =
    keep === undefined || !isComplete(backup) ? [] : await deleteSurplus(to, keep, Date.parse(backup.manifest.made_at))
  await cli.out(
    json
      ? `${JSON.stringify({ ...toJson(backup.manifest), file: backup.path, bytes: backup.bytes, deleted })}\n`
      : toText(backup, deleted),
  )
  if (!isComplete(backup)) throw new Refusal('the backup is not complete')
}

const isComplete = ({ manifest }: Backup) => manifest.incomplete.length === 0

const toText = ({ path, bytes, manifest }: Backup, deleted: string[]) =>
  [
    `wrote and verified ${path}, ${toSize(bytes)}`,
    ...toLines(manifest),
    ...deleted.map((name) => `deleted ${name}`),
    '',
  ].join('\n')

/** Needs no data folder, so that a backup can be verified where it is kept. */
const verifyCommand = localCommand('verify', 'read a whole backup and compare every file in it with its manifest', {
  arguments: { '<file>': '' },
  act: async (_cli, _options, file = '') => ({ file, manifest: await verifyBackup(file) }),
  toText: ({ file, manifest }) => `'${file}' is whole\n${toLines(manifest).join('\n')}`,
  toJson: ({ manifest }) => toJson(manifest),
  refusal: ({ manifest }) => (manifest.incomplete.length > 0 ? 'what it was made of was not whole' : undefined),
})

const KEY_LINES: Record<Manifest['secret_key'], string[]> = {
  encrypted: ['secret.key is in it, encrypted with the passphrase: neither is of use without the other'],
  'left out': [
    'secret.key is NOT in it, since there is no passphrase: keep a copy, or the credentials of integrations are lost',
  ],
  none: [],
}

/** The contents of a backup, as lines of text. */
export function toLines({ memsvc, made_at, of, counts, projects, secret_key, incomplete }: Manifest): string[] {
  const what =
    of === 'everything'
      ? toCounts({
          account: counts.accounts,
          member: counts.members,
          key: counts.keys,
          project: counts.projects,
          record: counts.records,
        })
      : `project '${projects[0]?.name}' of account '${projects[0]?.account}', ${countOf(counts.records, 'record')}`
  const names = new Map(projects.map(({ id, name }) => [id, `project '${name}'`]))
  const faults = incomplete.map(({ project = '', reason }) => `NOT WHOLE: ${names.get(project) ?? project} ${reason}`)
  return [
    `made ${made_at} by memsvc ${memsvc}: ${what}`,
    ...(of === 'everything' ? KEY_LINES[secret_key] : []),
    ...faults,
  ]
}

/** The same as a JSON value, with the SHA-256 of each file. */
export const toJson = ({ format: _format, ...manifest }: Manifest) => manifest

/**
 * The passphrase to encrypt with: the configured one, or one that is typed twice; undefined if there is none or nothing
 * was typed.
 */
async function choosePassphrase({ ask, isInputTerminal }: Cli, config: Config): Promise<string | undefined> {
  if (config.backupPassphrase !== undefined || ask === undefined || !isInputTerminal) return config.backupPassphrase
  const typed = await ask('Passphrase to encrypt secret.key with (empty leaves the key out): ')
  if (typed === '') return undefined
  if ((await ask('The same again: ')) !== typed) throw new Refusal('the passphrases differ')
  return typed
}
