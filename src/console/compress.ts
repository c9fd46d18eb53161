import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Smaller bodies fit into one packet uncompressed. */
const MIN_BYTES = 1_400

/**
 * The response, with gzip if it is a page of some size and the client accepts that. A page requested by another site is
 * not compressed: a site that controls a part of the page and sees its size could guess the rest (BREACH).
 */
export async function compressed({ headers }: Request, response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const site = headers.get('sec-fetch-site')
  if (!acceptsGzip(headers) || site === 'cross-site' || site === 'same-site') return response
  const body = await response.arrayBuffer()
  if (body.byteLength < MIN_BYTES) return new Response(body, response)
  const result = new Response(await compress(body), response)
  result.headers.set('Content-Encoding', 'gzip')
  result.headers.set('Vary', 'Accept-Encoding')
  return result
}

/** Whether the request accepts gzip, with a quality above 0 (RFC 9110, 12.5.3). Takes linear time. */
export function acceptsGzip(headers: Headers): boolean {
  return (headers.get('accept-encoding') ?? '').toLowerCase().split(',').some(isGzip)
}

function isGzip(coding: string): boolean {
  const [name = '', quality = 'q=1', ...others] = coding.split(';').map((part) => part.trim())
  return (name === 'gzip' || name === '*') && others.length === 0 && /^q=(?!0(\.0*)?$)[\d.]+$/.test(quality)
}
