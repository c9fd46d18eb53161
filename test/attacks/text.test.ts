import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { createPasswordHasher } from '../../src/account/auth/password.ts'
import { addProject } from '../../src/account/organizations/project.ts'
import { acceptsGzip } from '../../src/console/compress.ts'
import { addIntegration } from '../../src/gateway/integration.ts'
import { deriveFactKey } from '../../src/memory/records/save/draft.ts'
import { requireResource } from '../../src/oauth/authorization.ts'
import { startGateway, VERSION } from '../gateway/start-gateway.ts'
import { startUpstream } from '../gateway/upstreams.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'

/**
 * Marks of two classes in turn: to put those of one run in order takes time quadratic in its length, half a minute for
 * these.
 */
const marks = (length: number) => `a${'\u0301\u0316'.repeat(length / 2)}`
const MAX_CONTENT_BYTES = 65_536

function sendForm(url: string, path: string, form: Record<string, string>): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
}

test('a password of combining marks is refused by its length, before anything is done with it', async () => {
  const { url } = await startService()
  const tried = await sendForm(url, '/console/sign-in', { email: 'a@b.example', password: marks(100_000) })
  expect(tried.status).toBeLessThan(500)
  const { hash, verify } = createPasswordHasher()
  expect(await verify(marks(1_000_000), undefined)).toBe(false)
  expect(await rejectionOf(hash(marks(1_000_000)))).toContain('a password must have 12 to 200 characters')
})

test('a password of 200 letters opens whether their accents are written with them or after them', async () => {
  const password = 'ế'.repeat(200)
  const { hash, verify } = createPasswordHasher()
  expect(await verify(password.normalize('NFD'), await hash(password))).toBe(true)
})

test('contents of combining marks, and of marks of exclamation before a letter, are remembered at once', async () => {
  const { call } = await startService()
  const bytes = (text: string) =>
    Buffer.from(text)
      .subarray(0, MAX_CONTENT_BYTES - 20)
      .toString()
  const contents = [marks(32_000), '\u{1d165}\u{1d16d}'.repeat(8_000), `${'!'.repeat(65_000)}a1x`, 'ﾞ'.repeat(21_000)]
  const texts = contents.flatMap((content) => [bytes(content), `${bytes(content)} once more`])
  const saved = await Promise.all(texts.map((content) => call('remember', { content })))
  expect(saved.map(({ isError }) => isError)).toEqual(texts.map(() => false))
})

test('the codings that a client accepts are read in linear time, also where they are mostly blanks', () => {
  const blanks = ' '.repeat(1_000_000)
  const accepts = (codings: string) => acceptsGzip(new Headers({ 'accept-encoding': codings }))
  expect([
    accepts(`gzip${blanks}x`),
    accepts(`gzip;${blanks}q=1${blanks}x`),
    accepts(`br,${blanks}gzip${blanks};q=0.5${blanks},br`),
  ]).toEqual([false, false, true])
})

test("an upstream's answer of combining marks is passed on", async () => {
  const content = [{ type: 'text', text: marks(400_000) }]
  const upstream = startUpstream({ 'tools/call': () => ({ content }) })
  const { raw } = await startGateway({ url: upstream.url })
  expect(await raw('hub.echo')).toEqual({ content, isError: false, _meta: VERSION })
})

test('a fact key is derived from the beginning of a content', () => {
  expect(deriveFactKey(`Use pnpm for every package. ${marks(1_000_000)}`)).toStartWith('use-pnpm-for-every-package')
  expect(deriveFactKey(' '.repeat(1_000_000))).toBe('note')
})

test('an address whose host is of combining marks is refused by its length, since hosts are normalised too', async () => {
  expect(() => requireResource({ resource: `https://${marks(400_000)}/` }, 'https://memsvc.example')).toThrow(
    'resource must be',
  )
  const { service, account } = await startService()
  const wish = { slug: 'hub', url: `https://${marks(400_000)}/` }
  expect(await rejectionOf(addIntegration(service, COMMAND_LINE, account, wish))).toContain(
    'the URL must have at most 2048 characters',
  )
})

test('a name of marks is refused by its length, and that of an application cut', async () => {
  const { url, service, account } = await startService()
  expect(await rejectionOf(addProject(service, COMMAND_LINE, { account, name: marks(1_000_000) }))).toContain(
    'the project name must have 1 to 100 characters',
  )
  const name = marks(8_000)
  const body = JSON.stringify({ redirect_uris: ['https://a.example/cb'], client_name: name })
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(registered.status).toBe(201)
  const { client_name: kept } = (await registered.json()) as { client_name: string }
  expect([...kept].length).toBe(80)
})
