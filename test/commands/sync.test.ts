import { expect, test } from 'bun:test'
import { appendFile, chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toMemberActor } from '../../src/account/auth/actor.ts'
import { confirmHistoryAccess } from '../../src/account/auth/history-access.ts'
import { DAY_MS } from '../../src/clock.ts'
import { purgeHistories } from '../../src/history/erase/purge.ts'
import { readSuggesting } from '../../src/history/suggestions/review.ts'
import { toLine, writeFileIn } from '../agent/histories/sync/machine.ts'
import { startHistories } from '../history/start-histories.ts'
import { isRoot } from '../is-root.ts'
import { type Change, makeFolder, runCommand } from '../run-cli.ts'

const KEY = 'AKIAQWERTYUIOP234567'

/** A person's machine with one session in `~/app` and one in `~/other`, beside a whole service. */
async function openMachine() {
  const histories = await startHistories()
  const { service, url, secret } = histories
  const home = await makeFolder()
  const environment: Record<string, string> = {
    HOME: home,
    SVC_STATE_DIR: join(home, 'state'),
    SVC_ENDPOINT: url,
    SVC_API_KEY: secret,
  }
  const [session, other] = [crypto.randomUUID(), crypto.randomUUID()]
  const fileOf = (id: string) => join(home, '.claude/projects/-app', `${id}.jsonl`)
  const line = (text: string) => toLine(session, join(home, 'app'), text)
  await mkdir(join(home, 'app'))
  await writeFileIn(fileOf(session), line('we decided on blue') + line(`the id is ${KEY}`))
  await writeFileIn(fileOf(other), toLine(other, join(home, 'other'), 'of another folder'))
  const base = { environment, clock: { now: Date.now, ticks: () => performance.now() }, random: service.random }
  const sync = (words: string[], change?: Change) => runCommand(base, ['sync', ...words], change)
  /** One that must succeed: what it printed. */
  async function said(...words: string[]): Promise<string> {
    const { status, out, err } = await sync(words)
    if (status !== 0) throw new Error(`sync ${words.join(' ')}: ${err}`)
    return out
  }
  const texts = async () =>
    (await Promise.all((await histories.sessions()).map(({ id }) => histories.textsOf(id)))).flat()
  return {
    ...histories,
    environment,
    home,
    session,
    file: fileOf(session),
    line,
    app: join(home, 'app'),
    sync,
    said,
    texts,
    base,
  }
}

test('what is excluded in another terminal while enable asks stays here', async () => {
  const { app, sync, said, session, texts } = await openMachine()
  const confirm = async () => (await said('exclude', '--session', session)) !== ''
  expect((await sync(['enable', app, '--suggestions', 'no'], { confirm })).out).toContain('Agreed')
  expect(await said('exclude')).toContain(`session ${session}`)
  await said('now')
  expect(await texts()).toEqual([])
})

test('enable shows what would go, with the credentials taken out, and asks; without a yes nothing is changed', async () => {
  const { app, sync, said, url } = await openMachine()
  const asked: string[] = []
  const { status, out, err } = await sync(['enable', app], { confirm: async (question) => asked.push(question) < 0 })
  expect([status, asked, err]).toEqual([
    0,
    ['Upload these sessions, and new ones from now on?'],
    'nothing was changed\n',
  ])
  for (const part of [
    url,
    "project 'default'",
    app,
    'claude-code  1',
    '1 session of other folders',
    'aws 1',
    '[REDACTED:aws]',
    'we decided on blue',
  ])
    expect(out).toContain(part)
  expect(out).not.toContain(KEY)
  expect(await sync(['enable', app])).toMatchObject({
    status: 1,
    err: 'memsvc: nothing was changed, since there is no terminal to ask on; add --yes\n',
  })
  expect(await said('enable', app, '--dry-run')).toBe(out)
  expect(await said('status')).toContain('Session histories are not uploaded.')
})

test('from a yes on sessions are at the service, readable by their uploader, without what was taken out', async () => {
  const { app, said, texts, file, line } = await openMachine()
  await said('enable', app, '--yes')
  expect(await said('now')).toBe('1 session with 2 records at the service, 1 credential taken out\n')
  expect(await texts()).toEqual(['we decided on blue', 'the id is [REDACTED:aws]'])
  await appendFile(file, line('and on green'))
  expect(await said('now')).toStartWith('1 session with 3 records')
  const status = await said('status')
  for (const part of ['~/app', 'idle', '1 of 1 uploaded · 0 waiting', '3 records', 'aws 1'])
    expect(status).toContain(part)
})

test('enable asks once more whether records may be suggested; status says it, and --yes alone agrees to nothing', async () => {
  const { app, sync, said, service, projectId, actor } = await openMachine()
  const questions: string[] = []
  const answering = (answers: boolean[]) => ({
    confirm: async (question: string) => {
      questions.push(question)
      return answers[questions.length - 1] ?? false
    },
  })
  expect((await sync(['enable', app], answering([true, false]))).out).toEndWith('No records are suggested.\n')
  expect(questions[1]).toStartWith('May records be suggested to you')
  await said('enable', app, '--yes')
  expect([await readSuggesting(service, actor, projectId), await said('status')]).toEqual([
    false,
    expect.stringMatching(/^Suggestions +off$/m),
  ])
  questions.length = 0
  expect((await sync(['enable', app], answering([true, true]))).out).toContain('in the console under Review')
  expect(await said('status')).toMatch(/^Suggestions +on$/m)
  questions.length = 0
  await sync(['enable', app], answering([true, true]))
  expect([questions.length, await readSuggesting(service, actor, projectId)]).toEqual([1, true])
  await said('enable', app, '--yes', '--suggestions', 'no')
  expect(await readSuggesting(service, actor, projectId)).toBe(false)
  expect((await sync(['enable', app, '--suggestions', 'maybe'])).err).toBe(
    "memsvc: --suggestions must be yes or no, not 'maybe'\n",
  )
})

test('who edits a password out of a file and syncs sees it no more at the service, wherever in the file it stood', async () => {
  const { app, said, texts, file, line } = await openMachine()
  const rest = Array.from({ length: 180 }, (_, nth) => line(`${nth} ${'x'.repeat(1_000)}`)).join('')
  const secret = line('the password is geheim')
  await Bun.write(file, secret + rest)
  await said('enable', app, '--yes')
  await said('now')
  expect(await texts()).toContain('the password is geheim')
  await Bun.write(file, secret.replace('geheim', 'removed') + rest)
  await said('now')
  const [first, ...others] = await texts()
  expect([first, others.length]).toEqual(['the password is removed', 180])
})

test('pause, resume and disable: what is uploaded stays', async () => {
  const { app, sync, said, texts, file, line } = await openMachine()
  await said('enable', app, '--yes')
  await said('now')
  await said('pause')
  await appendFile(file, line('later'))
  expect(await sync(['now'])).toMatchObject({
    status: 1,
    err: expect.stringContaining("nothing goes to project 'default' now"),
  })
  expect(await said('status')).toContain('paused · paused by user')
  await said('resume')
  await said('now')
  expect(await said('disable')).toContain(`${app}\n`)
  expect([await texts(), await said('status')]).toEqual([
    expect.arrayContaining(['later']),
    expect.stringContaining('not uploaded'),
  ])
  expect(await sync(['disable'])).toMatchObject({ status: 1, err: 'memsvc: no session histories are uploaded\n' })
  expect(await sync(['pause'])).toMatchObject({ status: 1 })
})

test('forget erases for good and asks first; rescan erases and uploads anew', async () => {
  const { app, sync, said, texts, session } = await openMachine()
  await said('enable', app, '--yes')
  await said('now')
  expect(await sync(['forget'])).toMatchObject({ status: 1, err: 'memsvc: name one session, or give --all\n' })
  expect(await sync(['forget', session])).toMatchObject({ status: 1, err: expect.stringContaining('add --yes') })
  expect(await sync(['forget', 'nobody', '--yes'])).toMatchObject({
    status: 1,
    err: expect.stringContaining("no session 'nobody'"),
  })
  expect(await said('rescan', session, '--yes')).toStartWith('1 history will be uploaded again')
  expect(await texts()).toEqual([])
  await said('now')
  expect(await texts()).toHaveLength(2)
  expect(await said('forget', '--all', '--yes')).toStartWith('Erased 1 history at the service')
  await said('now')
  expect([await texts(), await said('status')]).toEqual([[], expect.stringContaining('1 stay here')])
})

test('what is said to be at the service is there: nothing after it was forgotten here, erased there, or kept for its time', async () => {
  const { app, said, sync, client, service, pass, file, line } = await openMachine()
  await said('enable', app, '--yes')
  const nothing = '0 sessions with 0 records at the service, 0 credentials taken out'
  await said('now')
  await client.send('POST', 'sessions/erase', undefined, {})
  expect(await said('now')).toBe(`${nothing}\n`)
  expect(await said('status')).toMatch(
    /0 of 1 uploaded · 0 waiting · 0 failed · 1 stay here\nSent {10}0 B · 0 records · 0 B waiting/,
  )
  await said('rescan', '--all', '--yes')
  expect(await said('now')).toStartWith('1 session with 2 records')
  pass(366 * DAY_MS)
  await purgeHistories(service)
  expect(await said('now')).toBe(
    '0 sessions with 0 records at the service, 1 credential taken out; 1 session erased there after its retention period\n',
  )
  expect(await said('status')).toContain(
    '0 of 1 uploaded · 0 waiting · 0 failed · 0 stay here · 1 erased there after the retention period',
  )
  await appendFile(file, line('later'))
  expect(await said('now')).toStartWith('1 session with 1 record at')
  await said('forget', '--all', '--yes')
  expect([await said('now'), (await sync(['status'])).out]).toEqual([
    `${nothing}\n`,
    expect.stringContaining('0 B · 0 records · 0 B waiting'),
  ])
})

test('a session is named to forget as to show: by the id of its assistant, of the service, or the beginning of either; its subagents go with it', async () => {
  const { app, home, said, sync, session, sessions, file, line } = await openMachine()
  const subagent = join(home, '.claude/projects/-app', session, 'subagents/agent-a1.jsonl')
  const other = `${session.slice(0, 8)}-0000-4000-8000-000000000000`
  await writeFileIn(subagent, line('on behalf'))
  await writeFileIn(join(home, '.claude/projects/-app', `${other}.jsonl`), toLine(other, app, 'another'))
  await said('enable', app, '--yes')
  expect(await said('now')).toStartWith('3 sessions with 4 records')
  const several = await sync(['forget', session.slice(0, 8), '--yes'])
  for (const part of ["' names several sessions: ", session, `${other} (claude-code)`])
    expect(several.err).toContain(part)
  const asked: string[] = []
  await sync(['forget', session.slice(0, 12)], { confirm: async (question) => asked.push(question) < 0 })
  expect(asked).toEqual([expect.stringContaining(`Erase session ${session}, at`)])
  expect(await said('forget', session.slice(0, 12), '--yes')).toStartWith('Erased 2 histories')
  expect(await said('now')).toStartWith('1 session with 1 record')
  const [left] = await sessions()
  await Bun.write(file, '')
  expect(await said('forget', left?.id.slice(0, 20) ?? '', '--yes')).toStartWith('Erased 1 history')
  expect(await sync(['forget', other, '--yes'])).toMatchObject({
    status: 1,
    err: expect.stringContaining(`no session '${other}'`),
  })
})

test('sync console prints a code where something is uploaded for the holder of the key, and the consent says who can read it', async () => {
  const { app, said, sync, service, owner, account, environment, org, sessions, project } = await openMachine()
  expect(await sync(['console'])).toMatchObject({
    status: 1,
    err: expect.stringContaining("nothing is uploaded from here for 'Owner'"),
  })
  const plan = await said('enable', app, '--yes')
  for (const part of [
    "only 'Owner' can read them: with this key",
    'no owner and no admin',
    'data folder and in backups',
  ])
    expect(plan).toContain(part)
  expect(await sync(['console'])).toMatchObject({
    status: 1,
    err: 'memsvc: there is no password yet; sign in to the console first\n',
  })
  await service.store.control.write((tx) => tx.save('passwords', { memberId: owner.id, hash: 'a hash' }))
  const printed = await said('console')
  expect(printed).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}\n/)
  for (const part of [`/console/projects/${project.id}/sessions`, "signed in\nthere as 'Owner'"])
    expect(printed).toContain(part)
  const actor = toMemberActor({ member: owner, account }, null)
  await confirmHistoryAccess(service, actor, printed.slice(0, 11))
  expect((await service.store.control.findMembers(owner.id, 1))[0]?.historyAccess).toBe('confirmed')
  await org.keyOf(owner)
  expect(await said('preview')).toContain("each of the 2 keys of the project that 'Owner' holds")
  environment.SVC_API_KEY = (await org.issueKey({ label: 'ci' })).secret
  expect(await said('preview', app)).toContain("only the key 'ci' can read them")
  expect(await sessions()).toEqual([])
})

test('files that cannot be read are counted, and sent once they can', async () => {
  const { app, home, said, base, texts, line } = await openMachine()
  const damaged = join(home, '.codex/archived_sessions', `rollout-2026-11-22T11-35-03-${crypto.randomUUID()}.jsonl.zst`)
  const meta = { type: 'session_meta', timestamp: new Date().toISOString(), payload: { id: 'x', cwd: app } }
  const whole = Bun.zstdCompressSync(`${JSON.stringify(meta)}\n${line('from Codex')}`)
  await writeFileIn(damaged, 'not compressed')
  await writeFileIn(join(home, '.local/share/opencode/opencode.db'), 'no database')
  expect(await said('enable', app, '--yes')).toContain(
    'Not uploaded: 1 session of other folders, 2 files that cannot be read.',
  )
  expect(await said('now')).toBe(
    '1 session with 2 records at the service, 1 credential taken out; 2 files cannot be read\n',
  )
  expect(await said('status')).toContain('1 of 3 uploaded · 0 waiting · 0 failed · 0 stay here · 2 cannot be read')
  expect((await runCommand(base, ['doctor'])).out).toContain('1 of 3 sessions uploaded, 0 waiting, 2 cannot be read')
  await Bun.write(damaged, whole)
  await rm(join(home, '.local/share/opencode/opencode.db'))
  expect(await said('now')).toStartWith('2 sessions with 4 records')
  expect([(await texts()).length, await said('status')]).toEqual([2, expect.stringContaining('2 of 2 uploaded')])
})

test.skipIf(isRoot)('a file without the right to read it is counted, and stays uploaded if it was', async () => {
  const { app, said, file } = await openMachine()
  await said('enable', app, '--yes')
  await chmod(file, 0o000)
  expect(await said('now')).toContain(
    '0 sessions with 0 records at the service, 0 credentials taken out; 1 file cannot be read',
  )
  await chmod(file, 0o600)
  await said('now')
  await chmod(file, 0o000)
  expect(await said('now')).toContain(
    '1 session with 2 records at the service, 1 credential taken out; 1 file cannot be read',
  )
  await chmod(file, 0o600)
  expect([await said('now'), await said('status')]).toEqual([
    expect.not.stringContaining('cannot'),
    expect.stringContaining('1 of 1 uploaded'),
  ])
})

test('what one person agreed to is asked anew of another holder of a key of the project, and until then nothing is uploaded with that key', async () => {
  const { app, sync, said, texts, environment, base, org, sessions, secret, owner, project } = await openMachine()
  await said('enable', app, '--yes')
  const ben = await org.addMember('Ben')
  environment.SVC_API_KEY = await org.keyOf(ben)
  expect(await sync(['now'])).toMatchObject({
    status: 1,
    err: "memsvc: 'Ben', who holds this key, has not agreed to uploads from this machine; 'memsvc sync enable' asks\n",
  })
  expect([await sessions(ben), await sessions()]).toEqual([[], []])
  const status = await said('status')
  for (const part of [`Agreed by     ${owner.name}`, "Not agreed    'Ben' holds a key of project 'default'"])
    expect(status).toContain(part)
  expect(JSON.parse(await said('status', '--json'))).toMatchObject({
    not_agreed: [{ holder: 'Ben', project: project.name }],
  })
  expect((await runCommand(base, ['doctor'])).out).toContain("'Ben', who holds a key of it, has not agreed")
  expect(await said('enable', app, '--yes')).toContain("that 'Ben' holds")
  await said('now')
  expect([(await sessions(ben)).length, await texts()]).toEqual([1, []])
  expect(await said('status')).not.toContain('Not agreed')
  environment.SVC_API_KEY = secret
  expect(await sync(['now'])).toMatchObject({ status: 1, err: expect.stringContaining('has not agreed') })
})

test('assistants that the person was not asked about stay here, and status names them', async () => {
  const { app, home, said, texts } = await openMachine()
  await said('enable', app, '--yes')
  const file = join(home, 'state/sync.json')
  const settings = await Bun.file(file).json()
  settings.folders[0].assistants = ['codex']
  await Bun.write(file, JSON.stringify(settings))
  expect(await said('now')).toStartWith('0 sessions')
  expect([await texts(), await said('status')]).toEqual([[], expect.stringMatching(/Not asked +claude-code, gemini/)])
  await said('enable', app, '--yes')
  await said('now')
  expect(await texts()).toHaveLength(2)
})

test('exclude keeps folders here', async () => {
  const { app, sync, said, texts } = await openMachine()
  await said('enable', app, '--yes')
  expect(await said('exclude', app)).toContain(app)
  await said('now')
  expect(await texts()).toEqual([])
  expect(await said('exclude', app, '--remove')).toBe('Nothing is excluded.\n')
  expect(await sync(['exclude', app, '--remove'])).toMatchObject({ status: 1 })
  await said('now')
  expect(await texts()).toHaveLength(2)
})

test('exclude keeps the sessions of an assistant here, or one with its subagents, and status says so', async () => {
  const { app, sync, said, session, line, home } = await openMachine()
  const subagent = join(home, '.claude/projects/-app', session, 'subagents/agent-a1.jsonl')
  await writeFileIn(subagent, line('count the cranes'))
  await said('enable', app, '--yes')
  const countSynced = async () => {
    await said('now')
    return JSON.parse(await said('status', '--json')).projects[0].report.totals.sessions.synced
  }
  for (const words of [
    ['--assistant', 'claude-code'],
    ['--session', session.slice(0, 8)],
  ]) {
    expect(await said('exclude', ...words)).toStartWith('These sessions stay here:\n  session')
    expect(await countSynced()).toBe(0)
    expect(await said('status')).toMatch(/Excluded {6}(?:sessions of claude-code|session [\w-]{36})\n/)
    expect(await said('exclude', ...words, '--remove')).toBe('Nothing is excluded.\n')
    expect(await said('status')).not.toContain('Excluded')
  }
  for (const words of [
    ['--assistant', 'clippy'],
    ['--session', 'ffffffff'],
    ['--session', session.slice(0, 3)],
    ['--session', session, '--remove'],
  ])
    expect(await sync(['exclude', ...words])).toMatchObject({ status: 1 })
  await said('exclude', '--assistant', 'codex')
  expect(await countSynced()).toBe(2)
})

test('preview names every session, also of folders that are not agreed on', async () => {
  const { app, home, said, session } = await openMachine()
  expect(await said('preview', app, '--sessions')).toContain(session)
  expect(JSON.parse(await said('preview', home, '--json'))).toMatchObject({
    outside: 0,
    assistants: [{ assistant: 'claude-code', sessions: 2 }],
  })
  await said('enable', app, '--yes', '--since', '2099-01-01')
  expect(JSON.parse(await said('preview', '--json'))).toMatchObject({ excluded: 1, outside: 1, sessions: [] })
})

test('what cannot be meant is refused: a home folder that nobody named, a folder that is not there, a day that is none', async () => {
  const { home, sync, app } = await openMachine()
  expect(await sync(['enable', join(home, 'nowhere'), '--yes'])).toMatchObject({
    status: 1,
    err: `memsvc: there is no folder '${join(home, 'nowhere')}'\n`,
  })
  expect(await sync(['enable', app, '--since', 'May'])).toMatchObject({
    status: 1,
    err: expect.stringContaining('--since must be a day'),
  })
})

test('SVC_SYNC=off wins over what was agreed, and status says so', async () => {
  const { app, said, environment, texts, sync } = await openMachine()
  await said('enable', app, '--yes')
  environment.SVC_SYNC = 'off'
  expect(await sync(['now'])).toMatchObject({ status: 1 })
  expect([await texts(), await said('status')]).toEqual([[], expect.stringContaining('SVC_SYNC=off forbids uploads')])
})

test('memsvc status and doctor tell of it', async () => {
  const { app, said, base, environment } = await openMachine()
  await said('enable', app, '--yes')
  await said('now')
  const status = await runCommand(base, ['status'])
  expect(status.out).toMatch(/Histories {5}idle · 1 of 1 sessions uploaded · 0 waiting · last upload \d{4}-/)
  expect(JSON.parse((await runCommand(base, ['status', '--json'])).out)).toMatchObject({
    histories: { enabled: true, totals: { records_uploaded: 2 } },
  })
  const well = await runCommand(base, ['doctor'])
  expect(well.out).toContain("project 'default': 1 of 1 sessions uploaded, 0 waiting")
  expect(well.out).toContain('Claude Code deletes its own after 30 days')
  environment.SVC_SYNC = 'off'
  expect(await runCommand(base, ['doctor'])).toMatchObject({
    out: expect.stringContaining('SVC_SYNC=off forbids uploads here'),
  })
})

test('keys are taken from the settings of assistants; where they lead to different projects, a dry run shows all, and otherwise one has to be named', async () => {
  const { app, sync, said, environment, home, secret, url, org, owner: member } = await openMachine()
  delete environment.SVC_API_KEY
  const dryRun = ['enable', app, '--dry-run']
  expect(await sync(dryRun)).toMatchObject({ status: 2 })
  const setUp = (file: string, key: string) => {
    const entry = { command: '/bin/memsvc', args: ['agent'], env: { SVC_API_KEY: key, SVC_ENDPOINT: url } }
    return writeFileIn(join(home, file), JSON.stringify({ mcpServers: { memsvc: entry } }))
  }
  await setUp('.claude.json', secret)
  expect(await said(...dryRun)).toStartWith(`To ${url}: project 'default'`)

  await setUp('.cursor/mcp.json', (await org.issueKey({ member })).secret)
  expect((await said(...dryRun)).match(/^To /gm)).toHaveLength(1)
  expect(await sync(['enable', app])).not.toMatchObject({ err: expect.stringContaining('--client') })

  await setUp('.cursor/mcp.json', (await org.issueKey({ project: await org.addProject('website'), member })).secret)
  const both = await said(...dryRun)
  expect(both).toStartWith(`--client claude-code:\nTo ${url}: project 'default'`)
  expect(both).toContain(`\n\n--client cursor:\nTo ${url}: project 'website'`)
  expect(await sync(['enable', app, '--yes'])).toMatchObject({
    status: 1,
    err: expect.stringContaining('name one with --client: claude-code, cursor'),
  })
  expect(await said(...dryRun, '--client', 'cursor')).toStartWith(`To ${url}: project 'website'`)

  await setUp('.cursor/mcp.json', `${secret}x`)
  expect((await sync(dryRun)).err).toMatch(/^memsvc: the key of cursor: .*; --client names another\n$/)
})

test('the hook at the end of a turn wakes the uploads, where they are agreed on', async () => {
  const { app, said, base, home } = await openMachine()
  const hook = () =>
    runCommand(base, ['hook', 'session-end', '--client', 'claude-code'], { input: '{"session_id":"s"}' })
  await hook()
  expect(await Bun.file(join(home, 'state/sync-wake')).exists()).toBe(false)
  await said('enable', app, '--yes')
  await rm(join(home, 'state/sync-wake'))
  await hook()
  expect(await Bun.file(join(home, 'state/sync-wake')).exists()).toBe(true)
})
