import { type Plan, type Sample, toLastAt } from '../../agent/histories/sync/plan.ts'
import type { MappedFolder } from '../../agent/histories/sync/settings.ts'
import type { KeyInfo } from '../../agent/service-client.ts'
import { countOf, toOneLine, toSize, toTable } from '../terminal/text.ts'

const SAMPLE_WIDTH = 100
const SAMPLE_LEAD = 40

/** Which sessions go to which project, as text. */
export function toPlanText(folders: MappedFolder[], info: KeyInfo, plan: Plan, sample: Sample | undefined): string {
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
export function toSessionTable({ sessions }: Plan): string {
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
