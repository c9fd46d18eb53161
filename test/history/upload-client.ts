import { createHash } from 'node:crypto'

export type Head = { source_id: string; chain: string; isFirst: boolean }
export type SourceWish = {
  assistant?: string
  source_key?: string
  session_id?: string
  kind?: 'main' | 'subagent'
  cwd?: string
} & Record<string, unknown>
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

/** What a request is sent with in the place of what an agent sends. */
export type PutWish = { digest?: string; headers?: Record<string, string>; body?: Uint8Array }

/** Lines as they are sent. */
export type Packed = { body: Uint8Array; digest: string }

type Agreed = { project_id: string; holder_id: string }
type HeadsWish = Partial<Agreed> & { device?: string }

const DEVICE = '3f0e6f0e-8a43-4f0c-9d54-6f2f4a0f8f11'

export const FIRST_CHAIN = '0'.repeat(64)

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data)

export function pack(lines: string[]): Packed {
  const text = lines.map((line) => `${line}\n`).join('')
  return { body: Bun.zstdCompressSync(text), digest: sha256(text).digest('base64') }
}

/** An agent as far as the wire goes: it asks for heads and puts segments with the key. */
export function createUploadClient(url: string, secret: string) {
  async function send(
    method: string,
    path: string,
    body: Uint8Array | string | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const init = {
      method,
      headers: { authorization: `Bearer ${secret}`, ...headers },
      ...(body !== undefined && { body }),
    }
    const response = await fetch(`${url}/v1/sync/${path}`, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  /** Agrees, unless told otherwise, to the project and the holder of the key. */
  async function ask(sources: SourceWish[], { device = DEVICE, ...agreed }: HeadsWish = {}): Promise<Answer> {
    const { project_id, holder_id } = (await (
      await fetch(`${url}/v1/key`, { headers: { authorization: `Bearer ${secret}` } })
    ).json()) as Agreed
    const body = { project_id, holder_id, ...agreed, device, sources: sources.map(toSource) }
    return send('POST', 'heads', JSON.stringify(body), { 'content-type': 'application/json' })
  }

  /** The head of one source, which must be given. */
  async function head(wish: SourceWish = {}): Promise<Head> {
    const { status, body } = await ask([wish])
    const [first] = (body.heads ?? []) as Head[]
    if (first === undefined) throw new Error(`no head: ${status} ${JSON.stringify(body)}`)
    const { source_id, chain } = first
    return { source_id, chain, isFirst: chain === FIRST_CHAIN }
  }

  /** Puts lines behind a head. */
  function put(at: Head, lines: string[] | Packed, { digest, headers = {}, body }: PutWish = {}): Promise<Answer> {
    const packed = Array.isArray(lines) ? pack(lines) : lines
    const path = `sources/${at.source_id}/lines${at.isFirst ? '?first=yes' : ''}`
    return send('PUT', path, body ?? packed.body, {
      'content-type': 'application/x-ndjson',
      'content-encoding': 'zstd',
      'content-digest': `sha-256=:${digest ?? packed.digest}:`,
      'x-memsvc-chain': at.chain,
      ...headers,
    })
  }

  /** The head behind a segment that must be taken. */
  async function append(at: Head, lines: string[] | Packed): Promise<Head> {
    const { status, body } = await put(at, lines)
    if (status !== 201) throw new Error(`not taken: ${status} ${JSON.stringify(body)}`)
    return { source_id: at.source_id, chain: String(body.chain), isFirst: false }
  }

  const forget = (sourceId: string) => send('POST', `sources/${sourceId}/forget`, undefined, {})
  const get = (path: string) => send('GET', path, undefined, {})
  return { send, ask, head, put, append, forget, get }
}

/** The chain behind a segment. */
export function nextChain(chain: string, lines: string[]): string {
  const text = lines.map((line) => `${line}\n`).join('')
  return sha256(chain + sha256(text).digest('hex')).digest('hex')
}

/** The beginning of the file of a source, which is sent once more. */
export const beginAnew = (at: Head): Head => ({ ...at, isFirst: true })

function toSource({ session_id = 'one', ...wish }: SourceWish): Record<string, unknown> {
  return {
    assistant: 'claude-code',
    source_key: `${session_id}.jsonl`,
    session_id,
    kind: 'main',
    cwd: '/home/ada/app',
    ...wish,
  }
}

/** A line as Claude Code writes it. */
export function claudeLine(
  uuid: string,
  text: string,
  { at = '2026-01-14T10:00:00.000Z', ...more }: Record<string, unknown> = {},
): string {
  const message = { role: 'user', content: text }
  return JSON.stringify({ type: 'user', uuid, sessionId: 'one', timestamp: at, cwd: '/home/ada/app', message, ...more })
}
