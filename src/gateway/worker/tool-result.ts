import { OutboundError } from '../../errors.ts'
import { isDeeperThan, isObject, type Params } from '../../jsonrpc.ts'
import { MAX_ANSWER_BYTES } from './answer-limits.ts'

/** Returns the `_meta` of a tool result whose text should not be trusted or not be kept; undefined for any other. */
export type FindMarks = (content: unknown[]) => Promise<object | undefined>

const MAX_RESULT_DEPTH = 64
/** By how much rendering may lengthen an answer of the largest size. */
const RENDERING_MARGIN_BYTES = 65_536

/**
 * Renders the result of `tools/call` as JSON: `content`, `structuredContent` and `isError` of an upstream's answer. `meta` has its marks. Throws an
 * Error where they break the protocol, OutboundError where the text is too large: numbers and unpaired surrogates can render longer than they arrived.
 */
export async function toToolResult(
  { content = [], structuredContent, isError = false }: Params,
  findMarks: FindMarks,
): Promise<{ text: string; meta: object | undefined; isError: boolean }> {
  if (!Array.isArray(content) || !content.every(isObject) || typeof isError !== 'boolean') throw new Error('no tool result')
  if (isDeeperThan([content, structuredContent], MAX_RESULT_DEPTH)) throw new Error('nested too deep')
  const text = JSON.stringify({ content, structuredContent, isError })
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES + RENDERING_MARGIN_BYTES) throw new OutboundError('size', MAX_ANSWER_BYTES)
  return { text, meta: await findMarks(content), isError }
}
