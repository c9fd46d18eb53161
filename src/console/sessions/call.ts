import { diffLines } from '../../text/word-diff.ts'
import { type ToolCall, toJson } from '../../transcripts/format.ts'
import { parseArguments } from '../../transcripts/parse-line.ts'
import { countOf, toCount } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'

/** What may still be shown of the calls of a line; the page of the whole line has all. */
type Budget = { characters: number; diffLines: number }

const MAX_CHARACTERS = 12_000
const MAX_DIFF_LINES = 200
const MAX_CALLS = 20

/** Maximum number of arguments that are shown of a call. */
const MAX_ARGUMENTS = 40
/** Longer texts are folded. */
const MAX_OPEN_CHARACTERS = 600
const MAX_OPEN_LINES = 12
/** Longer values have lines of their own. */
const MAX_INLINE_CHARACTERS = 200
/** Maximum number of edits of one call that are shown. */
const MAX_EDITS = 20
/** Lines that are shown before and after one that an edit changes. */
const CONTEXT_LINES = 3

/** Names that assistants have for the text before and after an edit. */
const EDITS = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['old_str', 'new_str'],
] as const
const COMMANDS = ['command', 'cmd']
const PATCH = '*** Begin Patch'

/** The calls of a line as a person reads them. */
export function toCalls(calls: ToolCall[]): Html {
  const budget: Budget = { characters: MAX_CHARACTERS, diffLines: MAX_DIFF_LINES }
  const left = calls.length - MAX_CALLS
  return html`${calls.slice(0, MAX_CALLS).map((call) => toCall(call, budget))}${left > 0 ? html`<p class="quiet">${countOf(left, 'more call')}</p>` : undefined}`
}

/** A command, an edit as a diff, or the names and values of the arguments. */
function toCall({ tool, input }: ToolCall, budget: Budget): Html {
  const named = parseArguments(input) as Record<string, unknown> | string | null | undefined
  const name = tool === undefined ? undefined : html`<p class="tool"><code>${take(tool, budget)}</code></p>`
  if (typeof named !== 'object' || named === null)
    return html`${name}${toLongText(take(String(input ?? ''), budget), 'Input', budget)}`
  const edits = findEdits(named, budget)
  const shown = new Set(edits.names)
  const rest = Object.entries(named).filter(([name]) => !shown.has(name))
  const left = rest.length - MAX_ARGUMENTS
  return html`${name}<dl class="arguments">${rest.slice(0, MAX_ARGUMENTS).map(([name, value]) => toArgument(name, value, budget))}</dl>
${left > 0 ? html`<p class="quiet">${countOf(left, 'more argument')}</p>` : undefined}${edits.diffs}`
}

/** The text, as far as it may be shown. */
function take(text: string, budget: Budget): string {
  const taken = text.slice(0, budget.characters).toWellFormed()
  budget.characters -= taken.length
  return taken.length < text.length ? `${taken}…` : taken
}

type Edits = { names: string[]; diffs: Html[] }

/** The edits of a call, in its arguments or in a list of several; and which arguments these are. */
function findEdits(input: Record<string, unknown>, budget: Budget): Edits {
  const single = toEdit(input, budget)
  if (single !== undefined) return { names: single.names, diffs: [single.diff] }
  const several = Array.isArray(input.edits) ? input.edits.slice(0, MAX_EDITS).map((one) => toEdit(one, budget)) : []
  const found = several.filter((one) => one !== undefined)
  const isAll = found.length > 0 && found.length === (input.edits as unknown[]).length
  return isAll ? { names: ['edits'], diffs: found.map(({ diff }) => diff) } : { names: [], diffs: [] }
}

function toEdit(input: unknown, budget: Budget): { names: string[]; diff: Html } | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const values = input as Record<string, unknown>
  for (const [old, fresh] of EDITS) {
    const [before, after] = [values[old], values[fresh]]
    if (typeof before !== 'string' || typeof after !== 'string') continue
    return { names: [old, fresh], diff: toLineDiff(take(before, budget), take(after, budget), budget) }
  }
  return undefined
}

function toLineDiff(before: string, after: string, budget: Budget): Html {
  // A diff takes long if many lines differ, and those are then all that is shown.
  if (budget.diffLines <= 0) return html`<p class="quiet">One more edit</p>`
  const parts = diffLines(before, after)
  const lines = parts.flatMap(({ kind, text }, at) =>
    kind === 'same'
      ? toContext(text.split('\n'), at === 0, at === parts.length - 1)
      : text.split('\n', MAX_DIFF_LINES + 1).map((line) => toDiffLine(kind, line)),
  )
  return toDiff(lines, budget)
}

function toDiff(lines: Html[], budget: Budget): Html {
  const shown = lines.slice(0, budget.diffLines)
  budget.diffLines -= shown.length
  return html`<pre class="diff" tabindex="0" dir="auto">${shown}${shown.length < lines.length ? '  …' : ''}</pre>`
}

/** Of what did not change only the lines near a change are shown. */
function toContext(lines: string[], isFirst: boolean, isLast: boolean): Html[] {
  const head = isFirst ? [] : lines.slice(0, CONTEXT_LINES)
  const tail = isLast ? [] : lines.slice(Math.max(head.length, lines.length - CONTEXT_LINES))
  const left = lines.length - head.length - tail.length
  const same = (line: string) => toDiffLine('same', line)
  return [
    ...head.map(same),
    ...(left > 0 ? [html`<span class="quiet">  ${countOf(left, 'line')}\n</span>`] : []),
    ...tail.map(same),
  ]
}

function toDiffLine(kind: 'same' | 'removed' | 'added', line: string): Html {
  if (kind === 'same') return html`  ${line}\n`
  return kind === 'added' ? html`<ins>+ ${line}\n</ins>` : html`<del>- ${line}\n</del>`
}

function toArgument(name: string, value: unknown, budget: Budget): Html {
  const text = take(typeof value === 'string' ? value : (toJson(value) ?? ''), budget)
  if (COMMANDS.includes(name) && typeof value === 'string') return toRow(name, toText(text, name, 'said command'))
  const isShort = text.length <= MAX_INLINE_CHARACTERS && !text.includes('\n')
  return toRow(name, isShort ? html`<code>${text}</code>` : toLongText(text, name, budget))
}

const toRow = (name: string, value: Html) =>
  html`<div><dt>${name.slice(0, MAX_INLINE_CHARACTERS)}</dt><dd>${value}</dd></div>\n`

const toLongText = (text: string, name: string, budget: Budget) =>
  text.startsWith(PATCH) ? toPatch(text, budget) : toText(text, name)

/** A patch in the form of Codex, whose lines begin with what becomes of them. */
function toPatch(text: string, budget: Budget): Html {
  const marked = text
    .split('\n')
    .map((line) =>
      line.startsWith('+')
        ? html`<ins>${line}\n</ins>`
        : line.startsWith('-')
          ? html`<del>${line}\n</del>`
          : html`${line}\n`,
    )
  return toDiff(marked, budget)
}

/** A text as it is, folded if it is long. */
export function toText(text: string, name: string, look = 'said'): Html {
  const shown = html`<pre class="${look}" dir="auto">${text}</pre>`
  const lines = text.split('\n').length
  if (text.length <= MAX_OPEN_CHARACTERS && lines <= MAX_OPEN_LINES) return shown
  const size = lines > 1 ? countOf(lines, 'line') : `${toCount(text.length)} characters`
  return html`<details><summary>${name}, ${size}</summary>${shown}</details>`
}
