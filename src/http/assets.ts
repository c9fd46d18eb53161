import { Elysia } from 'elysia'
import { STYLE } from '../console/markup/style.ts'

const HEADERS = {
  'Content-Type': 'text/css; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
}

/** `GET /assets/…`: the style sheet of the pages. */
export const assets = new Elysia({ name: 'assets' }).get(STYLE.path, () => new Response(STYLE.text, { headers: HEADERS }))
