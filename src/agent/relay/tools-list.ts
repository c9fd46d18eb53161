import { findMember, findMembers, findWholeObject, type Span, textOf } from './json-bytes.ts'
import { OWN_TOOL_ENTRY } from './own-tool.ts'

const BRACKET = 0x5b

/** The span of the array of tools in an answer to `tools/list`, and whether it is the last page. Undefined if there is none. */
export function findTools(answer: Uint8Array): { tools: Span; isLastPage: boolean } | undefined {
  const result = findMember(answer, findWholeObject(answer), 'result')
  const [tools, cursor] = findMembers(answer, result, ['tools', 'nextCursor'])
  if (tools === undefined || answer[tools.start] !== BRACKET) return undefined
  return { tools, isLastPage: cursor === undefined || textOf(answer, cursor) === 'null' }
}

/** Appends the agent's own tool to the tools; every other byte is unchanged. */
export function withOwnTool(answer: Uint8Array, tools: Span): Uint8Array {
  const isEmpty = textOf(answer, { start: tools.start + 1, end: tools.end - 1 }).trim() === ''
  const entry = Buffer.from(isEmpty ? OWN_TOOL_ENTRY : `,${OWN_TOOL_ENTRY}`)
  return Buffer.concat([answer.subarray(0, tools.end - 1), entry, answer.subarray(tools.end - 1)])
}
