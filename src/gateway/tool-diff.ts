import { structuredPatch } from 'diff'
import { yieldIfDue } from '../cooperative.ts'
import { isObject } from '../jsonrpc.ts'
import type { UpstreamTool } from '../store/integration.ts'
import type { ToolChange } from './tool-changes.ts'

/** A line of a diff. A `gap` stands for unchanged lines that are left out. */
export type DiffLine = { kind: 'same' | 'removed' | 'added' | 'gap'; text: string }

const KINDS: Record<string, DiffLine['kind']> = { ' ': 'same', '-': 'removed', '+': 'added' }
const GAP: DiffLine = { kind: 'gap', text: '…' }

/** Unchanged lines around a change that are shown. */
const CONTEXT_LINES = 3
/** Beyond either, everything is shown as removed and added: finding the shortest diff takes time quadratic in its length. */
const MAX_EDITS = 2_000
const MAX_DIFF_MS = 20

/** Lays out what changed of each tool, line by line; of a new tool, everything. Yields to the event loop within the work on each. */
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
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS, timeout: MAX_DIFF_MS }
  const patch = structuredPatch('', '', before, after, undefined, undefined, options)
  if (patch === undefined) return [...toLines('removed', before), ...toLines('added', after)]
  return patch.hunks.flatMap(({ lines }, at) => [...(at === 0 ? [] : [GAP]), ...lines.map(toDiffLine)])
}

function toDiffLine(line: string): DiffLine {
  return { kind: KINDS[line.charAt(0)] ?? 'same', text: line.slice(1) }
}

function toLines(kind: DiffLine['kind'], text: string): DiffLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => ({ kind, text: line }))
}

/** Everything that is compared of a tool. Members of schemas are sorted, since their order makes no difference. */
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

/** Writes characters that nobody sees, or that turn a line around, as their code points: an instruction may hide in them. */
function withVisibleCharacters(text: string): string {
  return text.replace(/[\p{C}\p{DI}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
