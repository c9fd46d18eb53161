import { expect, onTestFinished, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS, HOUR_MS } from '../../../src/clock.ts'
import { readServeAddress } from '../../../src/serve-address.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder, openCli, openStartedCli } from '../../run-cli.ts'
import { waitUntil } from '../../wait-until.ts'

test('refuses a port that another program has, and makes no account whose key nobody would see', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, reusePort: true, fetch: () => new Response() })
  onTestFinished(() => other.stop(true))
  const cli = await openCli({ environment: { SVC_PORT: String(other.port) } })
  const { status, out, err } = await cli.run(['serve'])
  expect({ status, out, err }).toEqual({
    status: 1,
    out: '',
    err: `memsvc: cannot listen on 127.0.0.1:${other.port}: another program may have that port; give a free one with --port or SVC_PORT\n`,
  })
  expect(await cli.json(['account', 'list'])).toEqual([])
})

test('does not start while the clock is before 1970', async () => {
  const cli = await openCli({ environment: { SVC_PORT: '0' } })
  const clock = { now: () => -1, ticks: () => 0 }
  expect(await cli.run(['serve'], { clock })).toEqual({
    status: 1,
    out: '',
    err: 'memsvc: the clock of this machine is before 1970; set it\n',
  })
})

test('says what is in the way of its data folder', async () => {
  const taken = join(await makeFolder(), 'taken')
  writeFileSync(taken, '')
  const cli = await openCli({ environment: { SVC_DATA_DIR: taken } })
  const { status, out, err } = await cli.run(['serve'])
  expect({ status, out }).toEqual({ status: 1, out: '' })
  expect(err).toMatch(/^memsvc: cannot make the folder '.*taken': EEXIST[^\n]*\n$/)
})

test('says which file of its data it cannot write', async () => {
  const cli = await openCli()
  mkdirSync(join(cli.folder, 'control.db', 'not a file'), { recursive: true })
  expect(await cli.run(['account', 'list'])).toEqual({
    status: 1,
    out: '',
    err: `memsvc: ${join(cli.folder, 'control.db')} cannot be written; memsvc must own it and its folder\n`,
  })
})

test('says that a data folder is none, whatever the command', async () => {
  const taken = join(await makeFolder(), 'taken')
  writeFileSync(taken, '')
  const cli = await openCli({ environment: { SVC_DATA_DIR: taken } })
  const { status, err } = await cli.run(['account', 'list'])
  expect({ status, err }).toEqual({
    status: 1,
    err: expect.stringMatching(/^memsvc: cannot read the folder '.*taken': ENOTDIR[^\n]*\n$/),
  })
})

test('says what a file is that it may not read in one line, as of every failure of the system', async () => {
  const cli = await openCli()
  const long = join(cli.folder, 'x'.repeat(300))
  const { status, err } = await cli.run(['serve', '--data', long])
  expect({ status, err }).toEqual({
    status: 1,
    err: expect.stringMatching(/^memsvc: cannot make the folder '.*x': ENAMETOOLONG[^\n]*\n$/),
  })
})

/** Serves on a free port of this machine until it has started. */
async function serveOnce({
  environment = {},
  words = [],
  isTerminal,
}: {
  environment?: Record<string, string>
  words?: string[]
  isTerminal: boolean
}) {
  const cli = await openCli({ environment: { SVC_PORT: '0', ...environment } })
  const serve = () =>
    cli.run(['serve', ...words], { isTerminal, isOutputTerminal: isTerminal, interrupted: () => Promise.resolve() })
  return { folder: cli.folder, first: await serve(), second: await serve() }
}

test('says at every start where it answers: in words on a terminal', async () => {
  const { folder, first, second } = await serveOnce({ isTerminal: true })
  expect(first.out).toMatch(/^Endpoint {2}http:\/\/127\.0\.0\.1:\d+\/mcp$/m)
  expect(first.out).toMatch(/^Console {3}http:\/\/127\.0\.0\.1:\d+\/console\/enter\/\S+$/m)
  expect(first.out).toContain(`Data      ${folder}\n          A new folder.`)
  expect(first.err).not.toContain('{')
  expect(second).toMatchObject({ status: 0, out: '' })
  expect(second.err).toMatch(
    /^Endpoint {2}http:\/\/127\.0\.0\.1:\d+\/mcp\nConsole {3}http:\/\/127\.0\.0\.1:\d+\/console\nData {6}\S+\n/m,
  )
  expect(second.err).toContain(`Data      ${folder}\n`)
})

test('says where backups are made and kept, and warns where that is the disk of the data', async () => {
  const { folder, first, second } = await serveOnce({ isTerminal: true })
  for (const { err } of [first, second])
    expect(err).toContain(
      `Backups   ${folder}/backups (every 1d, keeping 7d)\n          They are on the same disk as the data`,
    )
  const environment = { SVC_BACKUP_DIR: '/dev/shm/memsvc-of-a-test', SVC_BACKUP_EVERY: '90m' }
  const elsewhere = (await serveOnce({ isTerminal: false, environment })).second.err
  expect(elsewhere).toContain(
    '"event":"backups are made","folder":"/dev/shm/memsvc-of-a-test","every":"90m","keep":"all"',
  )
  expect((await serveOnce({ isTerminal: false })).first.err).toContain(
    '"level":"warn","event":"backups are on the disk of the data"',
  )
  const { first: off } = await serveOnce({ isTerminal: true, environment: { SVC_BACKUP_EVERY: 'off' } })
  expect(off.err).not.toContain('Backups')
})

test('says it in a line of JSON elsewhere', async () => {
  const { folder, first, second } = await serveOnce({
    isTerminal: false,
    environment: { SVC_PUBLIC_URL: 'http://localhost:1' },
  })
  for (const { err } of [first, second]) {
    const lines = err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)) as Record<string, unknown>[]
    const rest = lines.filter(({ event }) => event !== 'serving')
    const serving = lines.find(({ event }) => event === 'serving')
    expect(serving).toMatchObject({
      event: 'serving',
      endpoint: 'http://localhost:1/mcp',
      console: 'http://localhost:1/console',
      data: folder,
    })
    expect(rest.map(({ event }) => event)).toContain('stopping')
  }
})

test('where the output is no terminal, the first key and link stand in a file that its owner alone may read, and nowhere else', async () => {
  const { folder, first, second } = await serveOnce({
    isTerminal: false,
    environment: { SVC_PUBLIC_URL: 'http://localhost:1' },
  })
  const file = join(folder, 'first-key.txt')
  const welcome = readFileSync(file, 'utf8')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(welcome).toContain('Endpoint  http://localhost:1/mcp')
  const [, key = 'no key'] = /^Key +(svc_\w+)$/m.exec(welcome) ?? []
  const [, link = 'no link'] = /console\/enter\/(\S+)/.exec(welcome) ?? []
  const said = `${first.out}${first.err}${second.out}${second.err}`
  expect(said).toContain(file)
  for (const secret of [key, link]) expect(said).not.toContain(secret)
})

const programs = findPostgres()

test.skipIf(programs === undefined)(
  'where the data is in a database, the folder of the first key is made',
  async () => {
    const server = await startPostgres(programs ?? '')
    onTestFinished(server.stop)
    const { url } = await server.createDatabase()
    const data = join(await makeFolder(), 'not', 'made')
    const environment = { SVC_DATABASE_URL: url, SVC_SECRET_KEY: 'ab'.repeat(32), SVC_DATA_DIR: data }
    const { first } = await serveOnce({ isTerminal: false, environment })
    expect(first.out).toContain(`are in ${data}/first-key.txt.`)
    expect(readFileSync(join(data, 'first-key.txt'), 'utf8')).toMatch(/^Key +svc_\w{36}$/m)
    expect(statSync(data).mode & 0o777).toBe(0o700)
  },
)

test('the operator may have the first key printed all the same', async () => {
  const { folder, first } = await serveOnce({ isTerminal: false, environment: { SVC_PRINT_FIRST_KEY: '1' } })
  expect(first.out).toMatch(/^Key +svc_\w{36}$/m)
  expect(existsSync(join(folder, 'first-key.txt'))).toBe(false)
})

test('warns of a public URL that hosted assistants cannot reach, and not where there is none', async () => {
  const wrong = await serveOnce({ isTerminal: true, environment: { SVC_PUBLIC_URL: 'http://memory.example' } })
  expect(wrong.second.err).toContain(
    'Warning: hosted assistants cannot connect by OAuth: SVC_PUBLIC_URL must begin with https://',
  )
  const none = await serveOnce({ isTerminal: false })
  expect(none.second.err).not.toContain('OAuth')
})

test('takes options before variables, and names them where they are wrong', async () => {
  const data = join(await makeFolder(), 'elsewhere')
  const words = ['--host', '::1', '--port', '0', '--data', data, '--public-url', 'http://localhost:1']
  const { first } = await serveOnce({
    isTerminal: false,
    environment: { SVC_HOST: '10.1.2.3', SVC_PUBLIC_URL: 'https://other.example' },
    words,
  })
  expect(first.err).toMatch(/"address":"http:\/\/\[::1\]:\d+","endpoint":"http:\/\/localhost:1\/mcp"/)
  expect(first.out).toContain(`are in ${data}/first-key.txt.`)
  const cli = await openCli()
  for (const [option, value, fault] of [
    ['--port', '99999', "--port must be a whole number from 0 to 65535, not '99999'"],
    ['--public-url', 'memory.example', "--public-url must be an http or https URL, not 'memory.example'"],
  ] as const)
    expect(await cli.run(['serve', option, value])).toEqual({ status: 1, out: '', err: `memsvc: ${fault}\n` })
  expect((await cli.run(['serve', '--host', '10.1.2.3', '--port', '0'])).err).toContain(
    'this machine has no such address',
  )
  expect((await cli.run(['serve', '--host', 'no host', '--port', '0'])).err).toContain(
    'no host:0: that is no address of this machine',
  )
})

test('where the clock is far ahead of the last thing that was done, it starts, says so, and purges for a day what it could have purged then, however often it starts', async () => {
  const cli = await openStartedCli({ environment: { SVC_PORT: '0' } })
  const { id } = await cli.remember({ content: 'Releases go out on Tuesdays' })
  await cli.forget({ id })
  cli.pass(40 * DAY_MS)
  const serve = () => cli.run(['serve'], { interrupted: () => Promise.resolve() })
  const jumped = {
    status: 0,
    out: '',
    err: expect.stringContaining('"the last act was days ago","days":40,"from":"2026-01-15T12:00:00.000Z"'),
  }
  expect(await serve()).toEqual(jumped)
  await cli.run(['key', 'issue', '--project', 'default', '--label', 'of the wrong day'])
  cli.pass(HOUR_MS)
  expect(await serve()).toEqual(jumped)
  expect(await cli.json<unknown[]>(['audit', '--act', 'clock.jump'])).toHaveLength(1)
  expect((await cli.run(['record', 'restore', id, '--project', 'default'])).status).toBe(0)
})

test('a service that is started once a week purges what its last start could have purged', async () => {
  const cli = await openStartedCli({ environment: { SVC_PORT: '0' } })
  const { id } = await cli.remember({ content: 'Releases go out on Tuesdays' })
  await cli.forget({ id })
  const isThere = async () =>
    (await cli.json<unknown[]>(['record', 'list', '--forgotten', '--project', 'default'])).length > 0
  const serve = async (isDone: (log: string) => boolean) => {
    let log = ''
    const interrupted = () => waitUntil('what the start does', () => isDone(log))
    const err = (text: string) => {
      log += text
    }
    const { status } = await cli.run(['serve'], { interrupted, err })
    expect(status).toBe(0)
  }
  for (const week of [1, 2, 3, 4, 5]) {
    cli.pass(7 * DAY_MS)
    await serve((log) => log.includes('"the last act was days ago","days":7'))
    expect({ week, isThere: await isThere() }).toEqual({ week, isThere: true })
  }
  cli.pass(7 * DAY_MS)
  await serve((log) => log.includes('"event":"purged","records":1'))
  expect(await isThere()).toBe(false)
})

test('names the integrations whose credentials no key decrypts, and serves all the same', async () => {
  const withKey = (digits: string) => ({ environment: { SVC_PORT: '0', SVC_SECRET_KEY: digits.repeat(32) } })
  const cli = await openStartedCli(withKey('ab'))
  const headers = { authorization: 'Bearer secret-of-notes' }
  await cli.onOrganization((org) =>
    org.connect({ slug: 'notes', name: 'Notes', url: 'https://notes.example/mcp', headers }),
  )
  const serve = async (digits: string, isTerminal: boolean) => {
    const environment = { SVC_DATA_DIR: cli.folder, ...withKey(digits).environment }
    const { status, err } = await cli.run(['serve'], { environment, isTerminal, interrupted: () => Promise.resolve() })
    expect(status).toBe(0)
    return err
  }
  expect(await serve('ab', false)).not.toContain('decrypt')
  expect(await serve('cd', false)).toContain('"event":"credentials cannot be decrypted","integrations":"notes"')
  expect(await serve('cd', true)).toContain(
    'Warning: no key decrypts the credentials of these integrations; see SVC_SECRET_KEY: notes\n',
  )
})

test('a start that fails after it listens ends the process: nothing listens any more', async () => {
  const { folder, run, json } = await openStartedCli({
    environment: { SVC_PORT: '0', SVC_BACKUP_EVERY: 'off', SVC_OUTBOUND_ALLOW: '127.0.0.1' },
  })
  await json(['integration', 'add', 'tickets', '--url', 'http://127.0.0.1:1/mcp'])
  await rm(join(folder, 'secret.key'))
  await mkdir(join(folder, 'secret.key'))
  expect(await run(['serve'])).toMatchObject({ status: 1, err: expect.stringContaining('memsvc: EISDIR') })
  const url = readServeAddress(folder)
  expect(url).toBeString()
  expect(await rejectionOf(fetch(`${url}/healthz`))).toMatch(/connect/i)
})
