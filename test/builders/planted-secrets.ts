import { makeKey } from '../../src/secrets/key.ts'

/**
 * A credential as it is met: `text` is what stands in a session, and `secrets` are the parts of it that nobody may
 * read.
 */
export type Planted = { kind: string; text: string; secrets: string[] }

/** Draws a whole number below a bound. */
export type Draw = (below: number) => number

const ALPHABETS = {
  alphanumeric: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
  digits: '0123456789',
}

/** Draws the same numbers for the same seed (mulberry32). */
export function createDraw(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Characters with at least four digits and letters of both cases, so that no draw looks like a word. */
export function drawText(draw: Draw, length: number, alphabet: keyof typeof ALPHABETS = 'alphanumeric'): string {
  const characters = ALPHABETS[alphabet]
  const drawn = Array.from({ length }, () => characters[draw(characters.length)] ?? 'a')
  const fixed = alphabet === 'alphanumeric' ? '7aB3cD5eF9' : ''
  return fixed + drawn.slice(fixed.length).join('')
}

const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function drawKey(draw: Draw): string {
  return makeKey({ uuid: () => '', bytes: (length) => Uint8Array.from({ length }, () => draw(248)) })
}

function drawPem(draw: Draw, kind: string): { text: string; secrets: string[] } {
  const body = ['MII', '', ''].map((start) => start + drawText(draw, 64 - start.length))
  return {
    text: `-----BEGIN ${kind}PRIVATE KEY-----\n${body.join('\n')}\n-----END ${kind}PRIVATE KEY-----`,
    secrets: body,
  }
}

const one = (secret: string, toText: (secret: string) => string = (text) => text) => ({
  text: toText(secret),
  secrets: [secret],
})

/** Every kind that is taken out of histories, with the words around it that make it one. */
const KINDS: Record<string, (draw: Draw) => Omit<Planted, 'kind'>> = {
  'memsvc key': (draw) => one(drawKey(draw)),
  'memsvc key, cut off': (draw) => one(drawKey(draw).slice(0, 30)),
  'bearer header': (draw) => one(drawText(draw, 40), (token) => `Authorization: Bearer ${token}`),
  'bearer alone': (draw) => one(drawText(draw, 40), (token) => `the call had "Bearer ${token}" in it`),
  'basic header': (draw) =>
    one(Buffer.from(`deploy:${drawText(draw, 14)}`).toString('base64'), (both) => `authorization: Basic ${both}`),
  'environment key': (draw) => one(drawText(draw, 24), (value) => `export PAYMENT_API_KEY=${value}`),
  'environment token': (draw) => one(drawText(draw, 24), (value) => `CI_TOKEN='${value}'`),
  'environment secret': (draw) => one(drawText(draw, 24), (value) => `SESSION_SECRET="${value}"`),
  'environment password': (draw) => one(drawText(draw, 12), (value) => `DB_HOST=db\nDB_PASSWORD=${value}\nDB_USER=app`),
  'member of JSON': (draw) => one(drawText(draw, 20), (value) => `{"clientSecret": "${value}"}`),
  'line of YAML': (draw) => one(drawText(draw, 12), (value) => `  db_password: ${value}`),
  jwt: (draw) => one(`${toPart({ alg: 'HS256', typ: 'JWT' })}.${toPart({ sub: draw(1e9) })}.${drawText(draw, 43)}`),
  'aws id': (draw) => one(`AKIA${drawText(draw, 16, 'upper')}`),
  'aws secret': (draw) => one(drawText(draw, 40), (value) => `aws_secret_access_key = ${value}`),
  'RSA key': (draw) => drawPem(draw, 'RSA '),
  'OpenSSH key': (draw) => drawPem(draw, 'OPENSSH '),
  'numbered key': (draw) => {
    const { text, secrets } = drawPem(draw, '')
    const lines = text.split('\n').map((line, nth) => `${String(nth + 1).padStart(6)}→${line}`)
    return { text: lines.join('\n'), secrets }
  },
  github: (draw) => one(`ghp_${drawText(draw, 36)}`),
  gitlab: (draw) => one(`glpat-${drawText(draw, 20)}`),
  npm: (draw) => one(drawText(draw, 36), (token) => `//registry.example/:_authToken=${token}`),
  slack: (draw) => one(`xoxb-${drawText(draw, 12, 'digits')}-${drawText(draw, 12, 'digits')}-${drawText(draw, 24)}`),
  anthropic: (draw) => one(`sk-ant-api03-${drawText(draw, 93)}AA`),
  database: (draw) => one(drawText(draw, 14), (password) => `postgres://app:${password}@db.internal/prod`),
  'user in a URL': (draw) => one(drawText(draw, 14), (password) => `https://deploy:${password}@git.example/app.git`),
}

/** So many credentials, each kind as often as the others, the same ones for the same seed. */
export function plantSecrets(count: number, seed: number): Planted[] {
  const draw = createDraw(seed)
  const kinds = Object.entries(KINDS)
  return Array.from({ length: count }, (_, nth) => {
    const [kind, make] = kinds[nth % kinds.length] ?? ['', () => one('')]
    return { kind, ...make(draw) }
  })
}

/** The ways in which a text comes to stand in a line of a history. Each returns one line of JSON. */
export const PLACES: Record<string, (text: string, draw: Draw) => string> = {
  plain: (text) => JSON.stringify({ message: { content: `It says ${text} there.` } }),
  'escaped twice': (text) => JSON.stringify({ arguments: JSON.stringify({ cmd: `echo\t${text}\n` }) }),
  'escaped three times': (text) =>
    JSON.stringify({ arguments: JSON.stringify({ body: JSON.stringify({ lines: `first\n${text}\nlast` }) }) }),
  'in code points': (text) => `{"content":"${[...`\n${text} `].map(toCodePoint).join('')}"}`,
  'name of a member': (text) => JSON.stringify({ values: { [text]: true } }),
  'a list of lines': (text) =>
    JSON.stringify({ lines: ['before', ...text.split('\n').map((line) => `+${line}`), 'after'] }),
  'over the end of a window': (text, draw) => {
    const filler = 'see src/memory/records/save/draft.ts and https://example.org/docs. '.repeat(1_200)
    return JSON.stringify({ output: `${filler.slice(0, 65_536 - draw(200))} ${text} ${filler}` })
  },
  'no JSON': (text) => `$ ${text.replaceAll('\n', ' ')} # and a line that was cut {"a":`,
}

const toCodePoint = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
