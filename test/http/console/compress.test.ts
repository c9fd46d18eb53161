import { expect, test } from 'bun:test'
import { startConsole, withoutFormIds } from './browse.ts'

/** A page as it comes over the wire. */
async function fetchPage(url: string, cookie: string | undefined, headers: Record<string, string>) {
  const response = await fetch(new URL('/console', url), {
    headers: { cookie: cookie ?? '', ...headers },
    decompress: false,
  } as RequestInit)
  return {
    coding: response.headers.get('content-encoding'),
    vary: response.headers.get('vary'),
    body: new Uint8Array(await response.arrayBuffer()),
  }
}

test('a page is compressed for a browser that accepts it, and is the same page', async () => {
  const { url, cookie } = await startConsole()
  const plain = await fetchPage(url, cookie(), { 'accept-encoding': 'identity' })
  const small = await fetchPage(url, cookie(), { 'accept-encoding': 'gzip, deflate, br', 'sec-fetch-site': 'none' })
  expect([plain.coding, small.coding, small.vary]).toEqual([null, 'gzip', 'Accept-Encoding'])
  expect(small.body.length).toBeLessThan(plain.body.length / 2)
  const [text, same] = [plain.body, Bun.gunzipSync(small.body)].map((body) => new TextDecoder().decode(body))
  expect(withoutFormIds(same ?? '')).toBe(withoutFormIds(text ?? ''))
})

test.each([
  { 'accept-encoding': 'gzip', 'sec-fetch-site': 'cross-site' },
  { 'accept-encoding': 'gzip', 'sec-fetch-site': 'same-site' },
  { 'accept-encoding': 'gzip;q=0' },
  { 'accept-encoding': 'br' },
])('it is not for %p', async (headers) => {
  const { url, cookie } = await startConsole()
  expect((await fetchPage(url, cookie(), headers)).coding).toBeNull()
})

test('style sheet, scripts and mark come compressed, and with a first page in at most 60 KB', async () => {
  const { url, get } = await startConsole()
  const { text } = await get('/console')
  const paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(paths).toHaveLength(3)
  let bytes = Bun.gzipSync(text).length
  for (const path of paths) {
    const response = await fetch(new URL(path, url), {
      headers: { 'accept-encoding': 'gzip' },
      decompress: false,
    } as RequestInit)
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip'])
    expect(response.headers.get('cache-control')).toContain('immutable')
    bytes += (await response.bytes()).length
  }
  expect(bytes).toBeLessThan(60_000)
})
