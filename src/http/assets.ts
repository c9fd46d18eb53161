import { Elysia } from 'elysia'
import { type Asset, MARK, SCRIPT, STYLE } from '../console/assets/assets.ts'
import { acceptsGzip } from './compress.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'
const HEADERS = { 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' }
const GZIP = { 'Content-Encoding': 'gzip' }

/** `GET /assets/…`: the style sheet, scripts and logo of the pages. */
export const assets = new Elysia({ name: 'assets' })
  .get(STYLE.path, serve(STYLE))
  .get(SCRIPT.path, serve(SCRIPT))
  .get(MARK.path, serve(MARK))
  .get('/favicon.ico', serve(MARK, FOR_A_DAY))

/** The text is compressed once, at the first request for it. */
function serve({ text, type }: Asset, cache = FOR_EVER) {
  let small: Uint8Array<ArrayBuffer> | undefined
  return ({ request }: { request: Request }): Response => {
    const headers = { ...HEADERS, 'Content-Type': type, 'Cache-Control': cache }
    if (!acceptsGzip(request.headers)) return new Response(text, { headers })
    small ??= Bun.gzipSync(text)
    return new Response(small, { headers: { ...headers, ...GZIP } })
  }
}
