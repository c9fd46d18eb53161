import { MAX_INSPECTED_LENGTH } from '../../guard/views/views.ts'
import { isObject } from '../../jsonrpc.ts'

/** Base64 of so many characters is decoded into the text that is inspected. */
const MAX_BLOB_CHARACTERS = 2 * MAX_INSPECTED_LENGTH

/**
 * The texts of the content blocks of a tool result, embedded resources and links included, on a line each, up to the number of characters that the guard
 * reads. Images and sound are left out.
 */
export function toContentText(content: unknown[]): string {
  return join(content.values().flatMap(textsOfBlock))
}

/** The texts and the names of members of a structured content, on a line each, up to the number of characters that the guard reads. */
export function toStructuredText(structuredContent: unknown): string {
  return join(textsOf(structuredContent, new Set()))
}

function join(texts: Iterable<string>): string {
  const lines: string[] = []
  let left = MAX_INSPECTED_LENGTH
  for (const text of texts) {
    lines.push(text.slice(0, left))
    left -= text.length + 1
    if (left <= 0) break
  }
  return lines.join('\n')
}

function* textsOfBlock(block: unknown): Generator<string> {
  if (!isObject(block)) return
  const { text, resource, title, name, description } = block
  for (const value of [text, title, name, description]) if (typeof value === 'string') yield value
  if (isObject(resource)) yield* textsOfResource(resource)
}

function* textsOfResource({ text, blob, mimeType }: Record<string, unknown>): Generator<string> {
  if (typeof text === 'string') yield text
  if (typeof blob === 'string' && /^(text\/|application\/(json|xml))/i.test(String(mimeType)))
    yield Buffer.from(blob.slice(0, MAX_BLOB_CHARACTERS), 'base64').toString()
}

/** Each name of a member once: a list of a thousand rows repeats them. Recurses as deep as the value is nested. */
function* textsOf(value: unknown, names: Set<string>): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && !names.has(name)) yield name
    names.add(name)
    yield* textsOf(inner, names)
  }
}
