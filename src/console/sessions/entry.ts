import { yieldIfDue } from '../../cooperative.ts'
import type { LineParts, TranscriptLine } from '../../history/read/transcript.ts'
import { findSavedRecords } from '../../transcripts/saved-records.ts'
import { toTicked } from '../markup/form.ts'
import { toSize, toTime } from '../markup/format.ts'
import { type Html, html, renderNow } from '../markup/html.ts'
import { toMarkdown } from '../markup/markdown.ts'
import { toBadge } from '../markup/table.ts'
import { toQueryPath } from '../paging.ts'
import { toCalls, toText } from './call.ts'

/** Links to records that the visitor may see, by their ids. */
export type RecordLinks = Map<string, Html>

/**
 * The lines of a page as entries of a list; others have their turn between the parts of each. A line on which records
 * were saved has the links to them.
 */
export async function toEntries(
  at: string,
  lines: TranscriptLine[],
  records: RecordLinks = new Map(),
): Promise<Html[]> {
  const entries: Html[] = []
  for (const line of lines) {
    await yieldIfDue()
    entries.push(await toEntry(at, line, records))
  }
  return entries
}

async function toEntry(page: string, shown: TranscriptLine, records: RecordLinks): Promise<Html> {
  const { line, role, tool, at, summary, cut } = shown
  const badge = summary && toBadge('replaces what came before', 'warn')
  const more = cut && html`<p class="quiet">It goes on. <a href="${page}/lines/${line}">The whole line ${line}</a></p>`
  const isNamed = tool !== undefined && (shown.parts?.calls.length ?? 0) === 0
  return html`<li id="l${line}" class="entry ${role}" tabindex="-1" data-item>
<p class="meta tick"><input type="checkbox" name="line" value="${line}" id="c${line}" data-key="x" aria-label="Choose line ${line}"${toTicked('line', String(line))}><label for="c${line}"><strong>${toRoleName(role)}</strong></label>${isNamed ? html`<code>${tool}</code>` : undefined}<a href="${toQueryPath(page, { from: String(line) })}#l${line}" title="Link to this line">${line}</a>${at === null ? undefined : toLineTime(at)}${badge}</p>
${renderNow(await toBody(shown))}${more}${toSaved(shown, records)}
</li>
`
}

/** Ids of the records that a line says it saved. */
export const savedOn = ({ role, text }: TranscriptLine): string[] => (role === 'tool' ? findSavedRecords(text) : [])

function toSaved(shown: TranscriptLine, records: RecordLinks): Html[] {
  return savedOn(shown).flatMap((id) => {
    const link = records.get(id)
    return link === undefined ? [] : [html`<p>Saved: ${link}</p>`]
  })
}

async function toBody({ role, text, summary, parts }: TranscriptLine): Promise<Html> {
  if (parts === undefined) return toText(text, 'Text')
  const { reasoning, said, calls, result, omissions } = parts
  const isProgram = role === 'system' && summary === undefined
  const thoughts = reasoning === '' ? undefined : await toMarkdown(reasoning)
  const speech = said === '' ? undefined : isProgram ? toText(said, 'Text') : await toMarkdown(said)
  await yieldIfDue()
  return html`${thoughts && html`<details><summary>Reasoning</summary>${thoughts}</details>`}${speech}
${toCalls(calls)}
${result === '' ? undefined : toText(result, 'Output')}
${toOmissions(omissions)}`
}

const WHAT: Record<string, string> = { image: 'an image', binary: 'a file', too_large: 'a large text' }

/** What stands for pictures and the like, which never leave the machine. */
function toOmissions(omissions: LineParts['omissions']): Html | undefined {
  if (omissions.length === 0) return undefined
  const names = omissions.map(({ reason, bytes }) => `${WHAT[reason] ?? 'a part'} of ${toSize(bytes)}`)
  return html`<p class="placeholder">Not uploaded: ${names.join(', ')}</p>`
}

export function toLineTime(time: string): Html | undefined {
  const at = Date.parse(time)
  return Number.isNaN(at) ? undefined : toTime(at)
}

const ROLE_NAMES: Record<TranscriptLine['role'], string> = {
  user: 'You',
  assistant: 'Assistant',
  tool: 'Tool',
  system: 'Program',
  raw: 'Line',
}

export const toRoleName = (role: TranscriptLine['role']) => ROLE_NAMES[role]
