import { Elysia } from 'elysia'
import htmxText from 'htmx.org/dist/htmx.min.js' with { type: 'text' }
import { acceptsGzip } from '../compress.ts'
import consoleText from './console.css' with { type: 'text' }
import scriptText from './console.js' with { type: 'text' }
import historyText from './history.css' with { type: 'text' }
import markText from './mark.svg' with { type: 'text' }
import overviewText from './overview.css' with { type: 'text' }
import recordText from './record.css' with { type: 'text' }
import reviewText from './review.js' with { type: 'text' }
import sessionText from './session.css' with { type: 'text' }
import shellText from './shell.css' with { type: 'text' }
import baseText from './style.css' with { type: 'text' }

/** A static file of pages. The path contains a checksum of the text, so that browsers may cache it indefinitely. */
type Asset = { path: string; type: string; text: string }

/** The style sheet of every page. */
export const STYLE = toAsset(
  'style.css',
  'text/css',
  [baseText, shellText, consoleText, recordText, overviewText, historyText, sessionText].join('\n'),
)
/** The script of the console's pages: htmx and our own code. Pages work without it. */
export const SCRIPT = toAsset('console.js', 'text/javascript', [htmxText, scriptText, reviewText].join('\n'))
/** The logo, used as favicon and on pages. */
export const MARK = toAsset('mark.svg', 'image/svg+xml', markText)

function toAsset(name: string, type: string, text: string): Asset {
  const [stem, ending] = name.split('.')
  return {
    path: `/assets/${stem}-${Bun.hash.crc32(text).toString(16)}.${ending}`,
    type: `${type}; charset=utf-8`,
    text,
  }
}

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
