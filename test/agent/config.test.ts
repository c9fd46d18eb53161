import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEndpoint, readKey, readStateDir } from '../../src/agent/config.ts'
import { rejectionOf } from '../rejection-of.ts'
import { makeStateDir, UNKNOWN_KEY } from './start-agent.ts'

test.each([
  [undefined, 'http://127.0.0.1:8787'],
  ['https://memory.example', 'https://memory.example'],
  ['https://memory.example/', 'https://memory.example'],
  ['https://memory.example/mcp', 'https://memory.example'],
  ['https://memory.example/team/mcp/', 'https://memory.example/team'],
  ['http://localhost:9000/mcp', 'http://localhost:9000'],
  ['http://[::1]:9000', 'http://[::1]:9000'],
  [' https://memory.example ', 'https://memory.example'],
])('the endpoint %p is %s', (text, url) => {
  expect(readEndpoint(text === undefined ? {} : { SVC_ENDPOINT: text })).toBe(url)
})

test.each([
  ['memory.example', 'must be a URL'],
  ['ftp://memory.example', 'must be a URL'],
  ['https://me:secret@memory.example', 'must have no user, query or fragment'],
  ['https://memory.example?x=1', 'must have no user, query or fragment'],
  ['http://memory.example', 'must begin with https://'],
  ['http://192.168.1.5:8787', 'must begin with https://'],
  ['http://127.0.0.1.evil.example', 'must begin with https://'],
])('refuses the endpoint %s', (text, reason) => {
  expect(() => readEndpoint({ SVC_ENDPOINT: text })).toThrow(reason)
})

test('reads the key from the environment, else from a file, anew each time', async () => {
  const file = join(await makeStateDir(), 'key')
  await writeFile(file, `${UNKNOWN_KEY}\r\n`)
  expect(await readKey({ SVC_API_KEY: UNKNOWN_KEY, SVC_API_KEY_FILE: '/nowhere' })).toBe(UNKNOWN_KEY)
  expect(await readKey({ SVC_API_KEY_FILE: file })).toBe(UNKNOWN_KEY)
  await writeFile(file, UNKNOWN_KEY.slice(0, 12))
  expect(await rejectionOf(readKey({ SVC_API_KEY_FILE: file }))).toContain('is cut off: it has 12 of 40 characters')
  expect(await rejectionOf(readKey({ SVC_API_KEY_FILE: join(file, 'x') }))).toContain('cannot be read (ENOTDIR)')
})

test('a refusal of a key repeats nothing of it', async () => {
  const wrong = `${UNKNOWN_KEY}extra`
  const reason = await rejectionOf(readKey({ SVC_API_KEY: wrong }))
  for (let at = 4; at + 6 < wrong.length; at++) expect(reason).not.toContain(wrong.slice(at, at + 6))
})

test('keeps its state where the system wants it, or where it is told', () => {
  const home = { HOME: '/home/ana' }
  expect(readStateDir(home, 'linux')).toBe('/home/ana/.local/state/memsvc')
  expect(readStateDir({ ...home, XDG_STATE_HOME: '/state' }, 'linux')).toBe('/state/memsvc')
  expect(readStateDir(home, 'darwin')).toBe('/home/ana/Library/Application Support/memsvc')
  expect(readStateDir({ LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/memsvc')
  expect(readStateDir({ ...home, SVC_STATE_DIR: '/mine' }, 'linux')).toBe('/mine')
})
