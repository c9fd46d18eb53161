import { OutboundError } from '../errors.ts'
import { isDeeperThan, isObject, type Params } from '../jsonrpc.ts'
import { MAX_ANSWER_BYTES } from './bounds.ts'

/** What is added to an answer whose text should not be trusted; undefined where there is nothing to add. */
export type FindMark = (content: unknown[]) => Promise<object | undefined>

const MAX_ANSWER_DEPTH = 64
/** What rendering may add to an answer of the largest size. */
const MARGIN_BYTES = 65_536

/**
 * The result of `tools/call` as JSON: the three members of an upstream's answer that are the tool's own, and the mark. Throws an Error when they
 * are not what the protocol asks for, OutboundError when the text is too large: numbers and broken characters may be longer than they came.
 */
export async function toAnswer(
  { content = [], structuredContent, isError = false }: Params,
  mark: FindMark,
): Promise<{ text: string; isError: boolean }> {
  if (!Array.isArray(content) || !content.every(isObject) || typeof isError !== 'boolean') throw new Error('no tool result')
  if (isDeeperThan([content, structuredContent], MAX_ANSWER_DEPTH)) throw new Error('nested too deep')
  const text = JSON.stringify({ content, structuredContent, isError, _meta: await mark(content) })
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES + MARGIN_BYTES) throw new OutboundError('size', MAX_ANSWER_BYTES)
  return { text, isError }
}
