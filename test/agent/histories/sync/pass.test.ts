import { expect, onTestFinished, test } from 'bun:test'
import { appendFile, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { countSources } from '../../../../src/agent/histories/sync/counts.ts'
import { forget, rescan } from '../../../../src/agent/histories/sync/erase.ts'
import { readSyncReport } from '../../../../src/agent/histories/sync/report.ts'
import { keepTarget, nameOf } from '../../../../src/agent/histories/sync/target.ts'
import { createSyncClient } from '../../../../src/agent/histories/sync/wire.ts'
import { createServiceClient } from '../../../../src/agent/service-client.ts'
import { rejectionOf } from '../../../rejection-of.ts'
import { openMachine, toLine, writeFileIn, writeSession } from './machine.ts'
import { createSyncEndpoint, type Decide, type Fate, HOLDER_ID, PROJECT_ID } from './sync-endpoint.ts'

function startEndpoint(decide?: Decide) {
  const endpoint = createSyncEndpoint(decide)
  onTestFinished(() => void endpoint.stop())
  return endpoint
}

async function openUploading(decide?: Decide) {
  const endpoint = startEndpoint(decide)
  const machine = await openMachine(endpoint.url)
  const uploader = machine.openUploader()
  const session = crypto.randomUUID()
  const file = machine.sessionFile(session)
  const key = `${session}.jsonl`
  const line = (text: string) => toLine(session, join(machine.home, 'app'), text)
  const report = () =>
    readSyncReport({
      environment: machine.environment,
      client: { baseUrl: endpoint.url, identify: async () => 'identity' },
      openDatabase: () => uploader.database,
      halt: undefined,
      pid: process.pid,
      now: Date.now,
    })
  return {
    endpoint,
    machine,
    uploader,
    session,
    file,
    key,
    line,
    report,
    pass: () => machine.pass(uploader),
    newest: () => endpoint.linesOf().get(key)?.join(''),
  }
}

test('sends what was appended, once, and nothing where nothing was', async () => {
  const { endpoint, file, line, pass, newest } = await openUploading()
  const [one, two] = [line('one'), line('two')]
  await writeFileIn(file, one)
  await pass()
  await pass()
  await appendFile(file, two + line('half a line').slice(0, 40))
  await pass()
  expect([newest(), endpoint.countSegments(), endpoint.violations]).toEqual([(one + two).replaceAll('\n', ''), 2, []])
})

test('a pass over what has not changed records nothing, and notices what another process decided since', async () => {
  const { endpoint, machine, uploader, file, line, pass } = await openUploading()
  const { database, target } = uploader
  const countWrites = () => database.query<{ n: number }, []>('SELECT total_changes() AS n').get()?.n ?? 0
  const other = crypto.randomUUID()
  await writeFileIn(file, line('one'))
  await writeFileIn(machine.sessionFile(other), toLine(other, join(machine.home, 'app'), 'two'))
  await pass()
  const before = countWrites()
  await pass()
  // Each pass notes that it begins and that it ended.
  expect([countWrites() - before, countSources(database, nameOf(target)).sessions.synced]).toEqual([3, 2])
  await rescan(machine.openUploader(), undefined)
  await pass()
  expect(endpoint.countSegments()).toBe(4)
})

test('what is behind the last whole line waits, and is counted', async () => {
  const { endpoint, uploader, file, line, pass, newest } = await openUploading()
  const [one, two] = [line('one'), line('two')]
  const waiting = () => countSources(uploader.database, nameOf(uploader.target)).bytes.pending
  await writeFileIn(file, one + two.slice(0, 40))
  await pass()
  expect([newest(), waiting()]).toEqual([one.trim(), 40])
  await appendFile(file, two.slice(40).trim())
  await pass()
  expect([newest(), waiting(), endpoint.countSegments()]).toEqual([(one + two).replaceAll('\n', ''), 0, 2])
})

test('a session of a folder that is not mapped, or that names none, is not even registered', async () => {
  const { endpoint, machine, pass } = await openUploading()
  for (const folder of ['', 'app-other', 'app/../other']) await writeSession(machine, folder)
  await writeFileIn(machine.sessionFile(crypto.randomUUID()), '{"type":"summary","summary":"no folder"}\n')
  await pass()
  expect(endpoint.requests).toEqual([])
  const inside = await writeSession(machine, 'app/deep/inside')
  await pass()
  expect([...endpoint.linesOf().keys()]).toEqual([`${inside}.jsonl`])
})

test('credentials in folder and branch are taken out before anything is sent', async () => {
  const { endpoint, machine, session, file, pass } = await openUploading()
  const token = `ghp_${'aB3dE5gH7j'.repeat(3)}aB3dE5`
  await writeFileIn(
    file,
    toLine(session, join(machine.home, `app/${token}`), 'plans', { gitBranch: `fix/${token}`, version: token }),
  )
  await pass()
  expect(endpoint.bodies.join()).toContain(`app/[REDACTED:github]","git_branch":"fix/[REDACTED:github]"`)
  expect(endpoint.bodies.join()).not.toContain(token)
})

test('of mapped folders within each other, the innermost decides, whatever project it goes to', async () => {
  const { endpoint, machine, pass } = await openUploading()
  await machine.change({
    folders: [machine.toFolder('app'), machine.toFolder('app/inner', '01a2025b-0000-7078-ac85-c0fc82ab0987')],
  })
  await writeSession(machine, 'app/inner/src')
  const outer = await writeSession(machine, 'app/src')
  await pass()
  expect([...endpoint.linesOf().keys()]).toEqual([`${outer}.jsonl`])
})

test('what is agreed on for one address goes to no other, whatever project it says it has', async () => {
  const { endpoint, machine, uploader } = await openUploading()
  const other = startEndpoint()
  await writeSession(machine, 'app')
  const target = { ...uploader.target, endpoint: other.url }
  const client = createSyncClient(createServiceClient({ ...machine.environment, SVC_ENDPOINT: other.url }), target)
  const elsewhere = { ...uploader, client, target }
  expect(await rejectionOf(machine.pass(elsewhere))).toBe('uploads are switched off')
  expect([endpoint.requests, other.requests]).toEqual([[], []])
})

test('what is cut back is read anew, and what is not there any more stays at the service', async () => {
  const { file, line, pass, newest } = await openUploading()
  const lines = [line('one'), line('two'), line('three')]
  await writeFileIn(file, lines.join(''))
  await pass()
  await truncate(file, (lines[0] ?? '').length)
  await appendFile(file, line('instead'))
  await pass()
  expect(newest()?.match(/one|two|three|instead/g)).toEqual(['one', 'two', 'three', 'instead'])
})

test('a line that is edited in the file is edited at the service', async () => {
  const { file, line, pass, newest } = await openUploading()
  const lines = [line('one'), line('the pelican'), line('three')]
  await writeFileIn(file, lines.join(''))
  await pass()
  await writeFileIn(file, lines.join('').replace('the pelican', 'a bird'))
  await pass()
  expect(newest()?.match(/one|pelican|a bird|three/g)).toEqual(['one', 'a bird', 'three'])
})

test('a file that is deleted or moved away deletes nothing', async () => {
  const { file, line, pass, newest, report } = await openUploading()
  await writeFileIn(file, line('kept'))
  await pass()
  await rename(file, `${file}.away`)
  await pass()
  await rm(`${file}.away`)
  expect(newest()).toContain('kept')
  expect((await report()).totals?.sessions).toMatchObject({ known: 0 })
})

test('an answer that was lost costs nothing: the segment is found by what the service has received', async () => {
  let fates: Fate[] = ['answer', 'cut']
  const { endpoint, file, line, pass, newest } = await openUploading((_method, path) =>
    path === '/v1/key' ? 'answer' : (fates.shift() ?? 'answer'),
  )
  await writeFileIn(file, line('one'))
  expect(await rejectionOf(pass())).toContain('cannot be read')
  fates = []
  await appendFile(file, line('two'))
  await pass()
  expect(newest()).toMatch(/one.*two/)
  expect(endpoint.countSegments()).toBe(2)
})

test('a service that was set back gets what it lost', async () => {
  const { endpoint, file, line, pass, newest } = await openUploading()
  await writeFileIn(file, line('one'))
  await pass()
  const [history] = endpoint.histories.values()
  const before = { ...history, lines: new Map(history?.lines) }
  await appendFile(file, line('two'))
  await pass()
  if (history !== undefined) Object.assign(history, before)
  await appendFile(file, line('three'))
  await pass()
  expect(newest()?.match(/one|two|three/g)).toEqual(['one', 'two', 'three'])
})

test('a service that lost everything gets everything', async () => {
  const { endpoint, file, line, pass, newest } = await openUploading()
  await writeFileIn(file, line('one'))
  await pass()
  endpoint.histories.clear()
  await appendFile(file, line('two'))
  await pass()
  expect(newest()).toMatch(/one.*two/)
})

test('after a database was lost the histories are sent again, and the service has each line once', async () => {
  const { machine, file, line, pass, newest } = await openUploading()
  await writeFileIn(file, line('one') + line('two'))
  await pass()
  await rm(join(machine.home, 'state', 'sync.db'))
  const other = machine.openUploader(process.ppid)
  await machine.pass(other)
  expect(newest()?.match(/one|two/g)).toEqual(['one', 'two'])
})

test('what was forgotten from here is not uploaded again, and what is to be sent anew is', async () => {
  const { endpoint, file, line, pass, uploader, newest } = await openUploading()
  await writeFileIn(file, line('one'))
  await pass()
  expect([await rescan(uploader, undefined), newest()]).toEqual([1, undefined])
  await pass()
  expect(newest()?.match(/one/g)).toEqual(['one'])
  expect(await forget(uploader, undefined)).toBe(1)
  await appendFile(file, line('two'))
  await pass()
  expect([endpoint.histories.size, await forget(uploader, undefined)]).toEqual([0, 0])
})

test('a history whose file is gone is not erased to be sent anew: the service may have the only copy', async () => {
  const { endpoint, file, line, pass, uploader } = await openUploading()
  await writeFileIn(file, line('one'))
  await pass()
  await rm(file)
  expect([await rescan(uploader, undefined), endpoint.histories.size]).toEqual([0, 1])
})

test('an erasure that breaks off sends nothing again, and is gone on with', async () => {
  let isBroken = true
  const { endpoint, file, line, pass, uploader } = await openUploading((_method, path) =>
    isBroken && path.endsWith('/forget') ? 'drop' : 'answer',
  )
  await writeFileIn(file, line('one'))
  await pass()
  await rejectionOf(forget(uploader, undefined))
  await appendFile(file, line('two'))
  await pass()
  expect([endpoint.countSegments(), endpoint.histories.size]).toEqual([1, 1])
  isBroken = false
  expect([await forget(uploader, undefined), endpoint.histories.size]).toEqual([1, 0])
})

test('very many short lines go in segments that the service takes', async () => {
  const { endpoint, file, line, pass, newest } = await openUploading()
  const many = '{"type":"mode"}\n'.repeat(40_000)
  await writeFileIn(file, line('first') + many)
  await pass()
  expect([newest()?.length, endpoint.violations]).toEqual([(line('first') + many).replaceAll('\n', '').length, []])
})

test('a segment that the service finds too large is sent in smaller ones', async () => {
  let isStrict = true
  const { file, line, pass, newest, endpoint } = await openUploading((method) => {
    const isRefused = isStrict && method === 'PUT'
    if (method === 'PUT') isStrict = false
    return isRefused ? Response.json({ error: { code: 'too_large', message: 'no' } }, { status: 413 }) : 'answer'
  })
  const lines = Array.from({ length: 300 }, (_, nth) => line(`${nth} ${'x'.repeat(1_000)}`))
  await writeFileIn(file, lines.join(''))
  await pass()
  expect(newest()).toBe(lines.join('').replaceAll('\n', ''))
  expect(endpoint.countSegments()).toBeGreaterThan(5)
})

test.each([400, 415])('one history that the service refuses (HTTP %p) holds up none of the others', async (status) => {
  const uploading = await openUploading((_method, path) =>
    path.endsWith('/heads') ? takeOne(uploading.endpoint.requests, status) : 'answer',
  )
  const { machine, pass, endpoint, uploader } = uploading
  await writeSession(machine, 'app/a')
  await writeSession(machine, 'app/b')
  await pass()
  expect([endpoint.histories.size, countSources(uploader.database, nameOf(uploader.target)).sessions]).toEqual([
    1,
    expect.objectContaining({ synced: 1, failed: 1 }),
  ])
})

/** Refuses when asked for both, and when asked for the first alone. */
function takeOne(requests: string[], status: number): Fate {
  const times = requests.filter((one) => one.endsWith('/heads')).length
  return times <= 2 ? Response.json({ error: { code: 'invalid', message: 'no' } }, { status }) : 'answer'
}

test('a pause, a folder that is taken out and SVC_SYNC=off hold from the next segment on', async () => {
  let machine: Awaited<ReturnType<typeof openMachine>> | undefined
  const uploading = await openUploading(async (method): Promise<Fate> => {
    if (method === 'PUT') await machine?.change({ isPaused: true })
    return 'answer'
  })
  machine = uploading.machine
  const { endpoint, file, line, pass, uploader } = uploading
  await writeFileIn(file, line('x'.repeat(700_000)) + line('y'.repeat(700_000)) + line('z'.repeat(700_000)))
  expect(await rejectionOf(pass())).toBe('something else was decided')
  expect(endpoint.countSegments()).toBe(1)
  await machine.change({ isPaused: false })
  machine.environment.SVC_SYNC = 'off'
  expect(await rejectionOf(machine.pass(uploader))).toBe('uploads are switched off')
  expect(endpoint.countSegments()).toBe(1)
})

test('one uploads among many: whoever has no lease ends, and takes up where the other was', async () => {
  const { endpoint, machine, file, line, pass, newest } = await openUploading()
  await writeFileIn(file, line('one'))
  await pass()
  const other = machine.openUploader(process.ppid)
  await appendFile(file, line('two'))
  expect(await rejectionOf(machine.pass(other))).toBe('another process uploads')
  other.now = () => Date.now() + 40_000
  await machine.pass(other)
  expect([newest()?.match(/one|two/g), endpoint.countSegments()]).toEqual([['one', 'two'], 2])
})

test.each([
  [401, {}, 'The API key was rejected'],
  [402, { error: { code: 'subscription', message: 'no subscription' } }, 'no subscription'],
  [403, { error: { code: 'quota', message: 'session history limit exceeded' } }, 'session history limit exceeded'],
  [429, {}, 'busy'],
  [500, {}, 'not the service'],
])('HTTP %p ends a pass, and nothing is lost', async (status, body, reason) => {
  let isBroken = true
  const uploading = await openUploading((method) =>
    isBroken && method === 'PUT' ? Response.json(body, { status }) : 'answer',
  )
  await writeFileIn(uploading.file, uploading.line('one'))
  expect(await rejectionOf(uploading.pass())).toContain(reason)
  isBroken = false
  await uploading.pass()
  expect(uploading.newest()).toContain('one')
})

/** Uploads to a service that refuses so many segments before each that it takes, and asks for a pause. */
async function passWithPauses(refusals: number, retryAfter: string) {
  let left = refusals
  const { endpoint, machine, pass } = await openUploading((method) => {
    if (method !== 'PUT') return 'answer'
    if (left-- > 0) return new Response('{}', { status: 429, headers: { 'retry-after': retryAfter } })
    left = refusals
    return 'answer'
  })
  for (let nth = 0; nth < 5; nth++) await writeSession(machine, 'app')
  return { segments: endpoint.countSegments, outcome: await pass().catch((error: Error) => error.message) }
}

test('a short pause that the service asks for does not end a pass', async () => {
  const { segments, outcome } = await passWithPauses(3, '0')
  expect([segments(), outcome]).toEqual([5, undefined])
})

test.each([
  [4, '0'],
  [1, '11'],
])('%i refusals in a row that ask for %s s end a pass', async (refusals, retryAfter) => {
  const { segments, outcome } = await passWithPauses(refusals, retryAfter)
  expect([segments(), outcome]).toEqual([0, expect.stringContaining('busy')])
})

test('the report counts what is there, what waits and what stays here, for this project only', async () => {
  const { machine, uploader, file, line, pass, session } = await openUploading()
  await machine.change({ excluded: [join(machine.home, 'app/private')] })
  await writeFileIn(file, line(`a key: AKIAQWERTYUIOP234567`) + line('two'))
  await writeSession(machine, 'app/private/x')
  await writeSession(machine, 'other')
  await pass()
  const client = { baseUrl: uploader.target.endpoint, identify: async () => 'x' }
  const names = { project: 'default', holder: 'Ada' }
  await keepTarget(uploader.database, client, { ...names, project_id: PROJECT_ID, holder_id: HOLDER_ID })
  const openDatabase = () => uploader.database
  const report = await readSyncReport({
    environment: machine.environment,
    client,
    openDatabase,
    halt: undefined,
    pid: 1,
    now: Date.now,
  })
  expect(report).toMatchObject({
    state: 'idle',
    reason: null,
    enabled: true,
    project_dirs: ['~/app'],
    uploader: 'other_process',
    totals: {
      sessions: { known: 2, synced: 1, pending: 0, failed: 0, excluded: 1 },
      records_uploaded: 2,
      secrets_redacted: 1,
    },
    assistants: [{ name: 'claude-code', sessions: 1, pending: 0 }],
  })
  expect(JSON.stringify(report)).not.toContain(session)
})
