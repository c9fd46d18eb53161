import { structuredPatch } from 'diff'
import { yieldIfDue } from '../cooperative.ts'
import { isObject } from '../jsonrpc.ts'
import type { UpstreamTool } from '../store/integration.ts'
import type { ToolChange } from './tool-changes.ts'

/** A line of a diff. A `gap` stands for omitted unchanged lines. */
export type DiffLine = { kind: 'same' | 'removed' | 'added' | 'gap'; text: string }

const KINDS: Record<string, DiffLine['kind']> = { ' ': 'same', '-': 'removed', '+': 'added' }
const GAP: DiffLine = { kind: 'gap', text: '…' }

/** Number of unchanged lines shown around a change. */
const CONTEXT_LINES = 3
/**
 * With more lines removed and added, everything is shown as such: the time to find the shortest diff is quadratic in
 * its length, here at most about 20 ms.
 */
const MAX_EDITS = 400

/**
 * The differences of each tool, line by line; for a new tool, everything. Always the same for the same tools. Yields to
 * the event loop within the work on each.
 */
export async function toToolDiffs(changes: ToolChange[]): Promise<DiffLine[][]> {
  const diffs: DiffLine[][] = []
  for (const { before, after } of changes) {
    await yieldIfDue()
    const text = before === undefined ? '' : toText(before)
    await yieldIfDue()
    const changed = toText(after)
    await yieldIfDue()
    diffs.push(diffLines(text, changed))
  }
  return diffs
}

function diffLines(before: string, after: string): DiffLine[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS }
  const patch = structuredPatch('', '', before, after, undefined, undefined, options)
  if (patch === undefined) return [...toLines('removed', before), ...toLines('added', after)]
  const shown = patch.hunks.flatMap(({ oldStart, lines }) => [...(oldStart > 1 ? [GAP] : []), ...lines.map(toDiffLine)])
  const last = patch.hunks.at(-1)
  const isToTheEnd = last === undefined || last.oldStart + last.oldLines > countLines(before)
  return isToTheEnd ? shown : [...shown, GAP]
}

/** Of a text that ends with a line break. */
const countLines = (text: string): number => text.split('\n').length - 1

function toDiffLine(line: string): DiffLine {
  return { kind: KINDS[line.charAt(0)] ?? 'same', text: line.slice(1) }
}

function toLines(kind: DiffLine['kind'], text: string): DiffLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => ({ kind, text: line }))
}

/** The text of everything that is compared. Members of schemas are sorted, since their order does not matter. */
function toText({ title, description, readOnly, inputSchema, outputSchema }: UpstreamTool): string {
  const parts = [
    `title: ${title}`,
    `annotated read-only: ${readOnly ? 'yes' : 'no'}`,
    `description:\n${description}`,
    `input schema:\n${toJson(inputSchema)}`,
    ...(outputSchema === undefined ? [] : [`output schema:\n${toJson(outputSchema)}`]),
  ]
  return `${parts.map(withVisibleCharacters).join('\n')}\n`
}

function toJson(schema: object): string {
  return JSON.stringify(schema, (_, value) => (isObject(value) ? sortMembers(value) : value), 2)
}

function sortMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Replaces invisible characters, and those that change the direction of text, by their code points, since they may hide
 * instructions.
 */
function withVisibleCharacters(text: string): string {
  return text.replace(/[\p{C}\p{DI}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
