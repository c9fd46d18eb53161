import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Smaller bodies fit into one packet uncompressed. */
const MIN_BYTES = 1_400

/**
 * The response, with gzip if it is a page of some size and the client accepts that. A page requested by another site is not compressed: a site that controls
 * a part of the page and sees its size could guess the rest (BREACH).
 */
export async function compressed({ headers }: Request, response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/html') || response.headers.has('content-encoding')) return response
  const site = headers.get('sec-fetch-site')
  if (!acceptsGzip(headers) || site === 'cross-site' || site === 'same-site') return response
  const body = await response.arrayBuffer()
  if (body.byteLength < MIN_BYTES) return new Response(body, response)
  const result = new Response(await compress(body), response)
  result.headers.set('Content-Encoding', 'gzip')
  result.headers.set('Vary', 'Accept-Encoding')
  return result
}

/** Whether the request accepts gzip, with a quality above 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(headers: Headers): boolean {
  const codings = (headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return codings.some((coding) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+)?\s*$/.test(coding))
}
