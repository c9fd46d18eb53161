import { readOrBegin, toFolders, withFolders } from '../../agent/histories/sync/consent.ts'
import { isOf } from '../../agent/histories/sync/folders.ts'
import { type Plan, planUpload, readSample, type Sample, toLastAt } from '../../agent/histories/sync/plan.ts'
import type { MappedFolder, SyncSettings } from '../../agent/histories/sync/settings.ts'
import type { KeyInfo } from '../../agent/service-client.ts'
import type { Cli } from '../cli.ts'
import { localCommand } from '../command.ts'
import { machineOf } from '../machine.ts'
import { countOf, toOneLine, toSize, toTable } from '../terminal/text.ts'
import { askTarget, CLIENT, type SyncTarget } from './context.ts'

/** What it comes to if the folders are uploaded to a target, as text, and what adds them to the present settings. */
export async function planFolders(cli: Cli, found: SyncTarget, folders: string[], since: string | null) {
  const { environment, target, info } = found
  const toSettings = async () => withFolders(await readOrBegin(environment), folders, target, info, since)
  const settings = await toSettings()
  const added = settings.folders.filter(({ folder }) => folders.includes(folder))
  return { environment, toSettings, text: (await plan(cli, found, settings, added)).text }
}

/** What is uploaded with these settings, of `folders`; as text for a person, too. */
async function plan(
  cli: Cli,
  { environment, info, target }: SyncTarget,
  settings: SyncSettings,
  folders: MappedFolder[],
) {
  const planned = await planUpload({ environment, home: machineOf(cli).home }, settings, target, cli.clock.now())
  const sample = await readSample(planned)
  return { planned, sample, text: toPlanText(folders, info, planned, sample) }
}

export const previewCommand = localCommand(
  'preview',
  'show what would be uploaded of the agreed folders, or of others',
  {
    arguments: { '[folders...]': 'folders other than the agreed ones' },
    options: { '--sessions': 'list every session', ...CLIENT },
    act: async (cli, options, ...named) => {
      const found = await askTarget(cli, options)
      const agreed = await readOrBegin(found.environment)
      const own = agreed.folders.filter((folder) => isOf(found.target, folder))
      const others =
        named.length > 0 || own.length === 0 ? await toFolders(named, process.cwd(), machineOf(cli).home) : []
      const wished = withFolders(agreed, others, found.target, found.info, null).folders.filter(({ folder }) =>
        others.includes(folder),
      )
      const folders = others.length === 0 ? own : wished
      const settings = { ...agreed, folders: others.length === 0 ? agreed.folders : wished }
      const { planned, sample = null, text } = await plan(cli, found, settings, folders)
      const sessions = planned.sessions.map((source) => ({
        assistant: source.assistant,
        session: source.sessionId,
        bytes: source.bytes,
        last: toLastAt(source),
        folder: source.cwd,
      }))
      return {
        value: { folders, ...planned, sessions, sample },
        text: options.sessions ? `${text}\n\n${toSessionTable(planned)}` : text,
      }
    },
    toText: ({ text }) => text,
    toJson: ({ value }) => value,
  },
)

const SAMPLE_WIDTH = 100
const SAMPLE_LEAD = 40

/** Which sessions go to which project, as text. */
function toPlanText(folders: MappedFolder[], info: KeyInfo, plan: Plan, sample: Sample | undefined): string {
  const [{ endpoint = '', project = '', account = '', holder = '', key = '', assistants = [] } = {}] = folders
  return [
    `To ${endpoint}: project '${project}' of account '${account}', with the key svc_${key}… that '${holder}' holds`,
    `From the sessions of ${assistants.join(', ')} that began in:`,
    ...folders.map(
      ({ folder, since }) => `  ${folder}${since === null ? '' : ` (written to on or after ${since.slice(0, 10)})`}`,
    ),
    '',
    toAssistantTable(plan),
    toStaying(plan),
    '',
    ...toSampleLines(sample),
    'Credentials in known formats are removed on this machine before the upload; images and similar content are left out.',
    ...toReaders(info),
    'The service keeps them for a year unless its operator chose otherwise, even if the files here are deleted.',
    "'memsvc sync pause' and 'memsvc sync disable' stop uploads; 'memsvc sync forget' erases what was uploaded.",
  ].join('\n')
}

/** Who can read what is uploaded. */
function toReaders({ holder, holder_kind: kind, holder_keys: keys }: KeyInfo): string[] {
  const others = [
    "Whoever operates the service's machine can read them in its data folder and in backups, and can let the owners of its",
    'first account download backups.',
  ]
  if (kind === 'service key') return [`At the service, only the key '${holder}' can read them.`, ...others]
  const which = keys === 1 ? 'this key' : `each of the ${keys} keys of the project that '${holder}' holds`
  return [
    `At the service, only '${holder}' can read them: with ${which}, and in the console after`,
    "confirming the sign-in with 'memsvc sync console'. There, no owner and no admin sees them.",
    ...others,
    `The operator can also issue another key that '${holder}' holds.`,
  ]
}

function toAssistantTable({ assistants }: Plan): string {
  const rows = assistants.map(({ assistant, sessions, bytes, first, last }) => [
    assistant,
    String(sessions),
    toSize(bytes),
    first ?? '-',
    last ?? '-',
  ])
  return toTable(
    ['ASSISTANT', 'SESSIONS', 'SIZE', 'FIRST', 'LAST'],
    rows,
    'No sessions were found in these folders yet; new ones will be uploaded.',
  )
}

function toStaying({ excluded, outside, unreadable }: Plan): string {
  const parts = [
    ...(excluded > 0 ? [`${countOf(excluded, 'session')} excluded by you or by date`] : []),
    `${countOf(outside, 'session')} of other folders`,
    ...(unreadable > 0 ? [`${countOf(unreadable, 'file')} that cannot be read`] : []),
  ]
  return `Not uploaded: ${parts.join(', ')}.`
}

function toSampleLines(sample: Sample | undefined): string[] {
  if (sample === undefined || sample.lines.length === 0) return []
  const counts = Object.entries(sample.redacted).map(([rule, count]) => `${rule} ${count}`)
  const taken =
    counts.length === 0
      ? 'nothing had to be redacted at its beginning'
      : `redacted at its beginning: ${counts.join(', ')}`
  return [
    `A sample, from session ${sample.session} (${taken}):`,
    ...sample.lines.map(({ role, text }) => `  ${role.padEnd(10)}${toOneLine(toExcerpt(text), SAMPLE_WIDTH)}`),
    '',
  ]
}

/** The part of a text around the first redaction; if there is none, its beginning. */
function toExcerpt(text: string): string {
  const at = text.indexOf('[REDACTED:')
  return at <= SAMPLE_LEAD ? text : `…${text.slice(at - SAMPLE_LEAD)}`
}

/** Every session that would be uploaded. */
function toSessionTable({ sessions }: Plan): string {
  const rows = sessions.map((source) => [
    source.assistant,
    source.sessionId,
    source.kind,
    toSize(source.bytes),
    toLastAt(source).slice(0, 10),
    source.cwd ?? '-',
  ])
  return toTable(['ASSISTANT', 'SESSION', 'KIND', 'SIZE', 'LAST', 'FOLDER'], rows, 'no sessions')
}
