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
    'Credentials of known form are taken out on this machine, images and the like are left out.',
    ...toReaders(info),
    'They are kept there for a year unless its operator decided otherwise, also when the files here are deleted.',
    "'memsvc sync pause' and 'memsvc sync disable' stop it, 'memsvc sync forget' erases.",
  ].join('\n')
}

/** Who can read what is uploaded. */
function toReaders({ holder, holder_kind: kind, holder_keys: keys }: KeyInfo): string[] {
  const others = [
    'But who operates the machine of the service can read them in its data folder and in backups, and can let owners of its first',
    'account download these.',
  ]
  if (kind === 'service key') return [`At the service they can be read with the key '${holder}' alone.`, ...others]
  const which = keys === 1 ? 'this key' : `each of the ${keys} keys of the project that '${holder}' holds`
  return [
    `At the service '${holder}' alone can read them: with ${which}, and in the console once`,
    "'memsvc sync console' has confirmed the sign-in. It shows them to no owner and no admin.",
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
    'No session of these folders was found so far; those to come will go.',
  )
}

function toStaying({ excluded, outside, unreadable }: Plan): string {
  const parts = [
    ...(excluded > 0 ? [`${countOf(excluded, 'session')} by choice or date`] : []),
    `${countOf(outside, 'session')} of other folders`,
    ...(unreadable > 0 ? [`${countOf(unreadable, 'file')} that cannot be read`] : []),
  ]
  return `What stays here: ${parts.join(', ')}.`
}

function toSampleLines(sample: Sample | undefined): string[] {
  if (sample === undefined || sample.lines.length === 0) return []
  const counts = Object.entries(sample.redacted).map(([rule, count]) => `${rule} ${count}`)
  const taken =
    counts.length === 0
      ? 'nothing had to be taken out of its beginning'
      : `taken out of its beginning: ${counts.join(', ')}`
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
