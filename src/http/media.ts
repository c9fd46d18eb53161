import { ProtocolError } from '../errors.ts'
import { Code } from '../jsonrpc.ts'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

/** Throws ProtocolError: 406 unless the client accepts both media types of answers, 415 unless it sends JSON. */
export function checkMedia(headers: Headers): void {
  if (!acceptsBoth(headers.get('accept'))) {
    throw new ProtocolError(
      Code.invalidRequest,
      `Not Acceptable: Accept must contain both ${JSON_TYPE} and ${STREAM_TYPE}`,
      406,
    )
  }
  if (!isJson(headers.get('content-type'))) {
    throw new ProtocolError(Code.invalidRequest, `Unsupported Media Type: Content-Type must be ${JSON_TYPE}`, 415)
  }
}

/** Compares with the exact header of nearly all clients first, since every request passes here. */
function acceptsBoth(accept: string | null): boolean {
  if (accept === `${JSON_TYPE}, ${STREAM_TYPE}`) return true
  const types = (accept ?? '').split(',').map(toType)
  return types.includes(JSON_TYPE) && types.includes(STREAM_TYPE)
}

function isJson(contentType: string | null): boolean {
  return contentType === JSON_TYPE || toType(contentType ?? '') === JSON_TYPE
}

/** A media type without its parameters. */
function toType(part: string): string {
  return (part.split(';')[0] ?? '').trim().toLowerCase()
}
