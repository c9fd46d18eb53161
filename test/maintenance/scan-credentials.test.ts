import { expect, test } from 'bun:test'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scanRecords } from '../../src/memory/rejections/scan-records.ts'
import type { ProjectStore } from '../../src/store/project.ts'
import { commandsBeside } from '../command-line.ts'
import { filesHold, plant, startHistories } from '../history/start-histories.ts'
import { claudeLine } from '../history/upload-client.ts'
import { startService } from '../start-service.ts'
import { embeddedTest } from '../stored-data.ts'

const PASSWORD = 'kJ8sd92kLmQp'
const TOKEN = `ghp_${'7aB3cD5eF9'.repeat(4).slice(0, 36)}`
const LATER = 'Zx9mK2pqR7vT'
const DRAFTED = 'hV7qW3nB8cXd'
const ASKED = 'wQ4eR8tY2uJ6'
const SECRETS = [PASSWORD, TOKEN, LATER, DRAFTED, ASKED]

/** A service whose account allowed credentials for a while, with session histories that older rules let pass. */
async function startCareless() {
  const running = await startHistories()
  const { service, call, client, project } = running
  const commands = commandsBeside(service)
  await commands.json('account', 'credentials', '--set', 'allow')
  const save = async (args: Record<string, unknown>) => {
    const { structured = {} } = await call('remember', args)
    return (structured.result as { id: string }).id
  }
  const ids = {
    content: await save({ content: `first line\nDB_PASSWORD=${PASSWORD} of the queue` }),
    key: await save({ content: 'The queue is Redis', fact_key: `queue ${TOKEN}` }),
    source: await save({
      content: 'Ports are in the wiki',
      source_id: `https://bot:${PASSWORD}@wiki.example/ports`,
      source_hash: 'v1',
    }),
    old: await save({ content: `the password is ${LATER}`, fact_key: 'login' }),
    forgotten: await save({ content: `login: ana / password: ${LATER}` }),
    phrase: await save({ content: 'The vault is at the front desk', asked_as: ['where is the vault', `pw ${ASKED}`] }),
    draft: await save({ content: `pw ${DRAFTED}`, scope: 'draft' }),
  }
  await save({ content: 'the password is in the vault', fact_key: 'login' })
  await call('forget', { id: ids.forgotten })
  const head = await client.head({ cwd: '/home/ana/app' })
  await client.append(head, [claudeLine('u1', 'the word is PLACE'), claudeLine('u2', 'nothing of it')])
  const histories = service.store.history(project.id)
  await plant(histories, 'PLACE', `password=${PASSWORD}`)
  await histories.write((tx) => tx.updateSource(head.source_id, { cwd: `/home/${TOKEN}/app` }))
  const scan = (...words: string[]) => commands.memsvc('record', 'scan', '--project', 'default', ...words)
  return { ...running, ...commands, ids, head, scan }
}

test('a scan lists by kind what is stored, of drafts and histories numbers alone, and repeats nothing of it', async () => {
  const { scan, ids, service, json } = await startCareless()
  const { status, out, err } = await scan()
  expect(status).toBe(1)
  for (const [kind, id, field, at] of [
    ['password', ids.content, 'content', 'line 2, column 13'],
    ['github', ids.key, 'fact_key', 'line 1, column 7'],
    ['url with a password', ids.source, 'source_id', 'line 1, column 9'],
    ['password', ids.old, 'content', 'line 1, column 17'],
    ['password', ids.forgotten, 'content', 'line 1, column 24'],
    ['password', ids.phrase, 'asked_as', 'line 1, column 4'],
  ])
    expect(out).toMatch(new RegExp(`^${kind} +${id} +${field} +${at}$`, 'm'))
  expect(out).toContain('in drafts: 1 password\nin session histories: 1 password, 1 github\n')
  expect(err).toBe('memsvc: 9 credentials; with --mask, a mask takes the place of each\n')
  expect(out).not.toContain(ids.draft)
  for (const secret of SECRETS) expect(out + err).not.toContain(secret)
  const [event] = await service.store.control.listAudit({ act: 'credential.scan', limit: 1 })
  expect(event).toMatchObject({
    actor: 'operator',
    details: { masked: false, password: 5, github: 1, 'url with a password': 1, histories: 2 },
  })
  expect(await json<{ content: string }>('record', 'show', ids.content, '--project', 'default')).toMatchObject({
    content: expect.stringContaining(PASSWORD),
  })
})

test('with --mask a mask takes the place of each, also in search, in the trash, of sources and in histories', async () => {
  const { scan, ids, call, json, textsOf, sessions, head, service, project } = await startCareless()
  const bytes = async () => (await service.store.project(project.id).readUsage()).contentBytes
  const before = await bytes()
  const { status, out } = await scan('--mask')
  expect([status, out]).toEqual([0, expect.stringContaining('\nmasked 9 credentials; change them where they are used')])
  const show = (id: string) => json<Record<string, unknown>>('record', 'show', id, '--project', 'default')
  expect(await show(ids.content)).toMatchObject({
    content: 'first line\nDB_PASSWORD=*** of the queue',
    fact_key: 'first-line-db-password-of-the',
  })
  expect(await show(ids.key)).toMatchObject({ fact_key: 'queue ***' })
  expect(await show(ids.source)).toMatchObject({ source_id: 'https://***@wiki.example/ports', stale: false })
  expect(await show(ids.old)).toMatchObject({ content: 'the password is ***', status: 'superseded' })
  expect(await show(ids.forgotten)).toMatchObject({
    content: 'login: ana / password: ***',
    forgotten_at: expect.any(String),
  })
  expect(await show(ids.phrase)).toMatchObject({ asked_as: ['where is the vault', 'pw ***'] })
  expect(await show(ids.draft)).toMatchObject({ content: 'pw ***' })
  // Of four that are not forgotten.
  expect(before - (await bytes())).toBe(4 * (PASSWORD.length - '***'.length))
  for (const query of [PASSWORD, LATER, DRAFTED])
    expect((await call('search', { query })).structured).toMatchObject({ result: [] })
  expect((await call('search', { query: 'db_password queue', limit: 1 })).structured).toMatchObject({
    result: [{ id: ids.content }],
  })
  expect((await call('validate_memory', { source_id: 'https://***@wiki.example/ports' })).structured).toMatchObject({
    result: { current_hash: 'v1', fresh: 1 },
  })
  expect(await textsOf(head.source_id)).toEqual(['the word is password=[REDACTED:password]', 'nothing of it'])
  expect(await sessions()).toMatchObject([{ cwd: '/home/[REDACTED:github]/app' }])
  expect(await scan()).toMatchObject({ status: 0, out: 'no credentials\n' })
})

embeddedTest('files of its own')(
  'nothing of what was masked is left in any file, and backups that still hold it are named',
  async () => {
    const { scan, service, json } = await startCareless()
    const folder = join(service.config.dataDir, 'backups')
    await mkdir(folder)
    await json('backup', folder)
    const [file = ''] = await readdir(folder)
    for (const secret of SECRETS) expect(await filesHold(service, secret)).toBe(true)
    const { out } = await scan('--mask')
    expect(out).toContain(`these backups still hold them:\n  ${join(folder, file)}\n`)
    for (const secret of SECRETS)
      for (const form of [secret, secret.toLowerCase()])
        expect([form, await filesHold(service, form)]).toEqual([form, false])
  },
)

embeddedTest('backups in a folder')(
  'where the folder for backups cannot be read, nothing is masked: the backups that hold it could not be named',
  async () => {
    const { scan, service } = await startCareless()
    await writeFile(join(service.config.dataDir, 'backups'), 'no folder')
    expect(await scan('--mask')).toMatchObject({ status: 1, out: '', err: expect.stringContaining('ENOTDIR') })
    await rm(join(service.config.dataDir, 'backups'))
    expect((await scan()).out).not.toBe('no credentials\n')
  },
)

/** The same store; its writes fail after the first `count`, as those of a process that is killed. */
function killedAfter(count: number, store: ProjectStore): ProjectStore {
  let left = count
  return {
    ...store,
    write: (act) => {
      left -= 1
      if (left < 0) throw new Error('killed')
      return store.write(act)
    },
  }
}

embeddedTest('files of its own')(
  'a scan that is interrupted after any write masks everything when it is run again',
  async () => {
    const { scan, service, project, call } = await startCareless()
    const store = service.store.project(project.id)
    for (let writes = 1, isDone = false; !isDone; writes++)
      isDone = await scanRecords(killedAfter(writes, store), { isMasking: true, found: () => {} }).then(
        () => true,
        ({ message }) => message !== 'killed',
      )
    expect((await call('validate_memory', { source_id: 'https://***@wiki.example/ports' })).structured).toMatchObject({
      result: { current_hash: 'v1', fresh: 1 },
    })
    expect((await scan('--mask')).status).toBe(0)
    for (const secret of SECRETS)
      for (const form of [secret, secret.toLowerCase()])
        expect([form, await filesHold(service, form)]).toEqual([form, false])
  },
)

test('names of workspaces are searched, also of removed ones, and replaced with --mask', async () => {
  const { service, call } = await startService()
  const { memsvc, json } = commandsBeside(service)
  const project = ['--project', 'default']
  await json('account', 'credentials', '--set', 'allow')
  const save = (content: string, workspace: string) => call('remember', { content, workspace })
  await save('The queue is Redis', `ci-${TOKEN}`)
  await save('Ports are in the wiki', `old-${TOKEN}`)
  await save('The vault is at the front desk', 'masked-1')
  await json('workspace', 'remove', `old-${TOKEN}`, ...project)
  const listed = await memsvc('record', 'scan', ...project)
  expect(listed.status).toBe(1)
  expect(listed.out).toMatch(/^github +ci-\*\*\* +workspace +line 1, column 4$/m)
  expect(listed.out).toMatch(/^github +old-\*\*\* +workspace +line 1, column 5$/m)
  const { out } = await memsvc('record', 'scan', '--mask', ...project)
  expect(out).toMatch(/^github +masked-1- +workspace/m)
  const names = async () =>
    (await json<{ name: string }[]>('workspace', 'list', '--json', ...project)).map(({ name }) => name)
  expect(await names()).toEqual(['masked-1', 'masked-1-'])
  expect((await call('search', { query: 'Redis', workspace: '*' })).structured).toMatchObject({
    result: [{ workspace: 'masked-1-' }],
  })
  expect(await memsvc('record', 'scan', ...project)).toMatchObject({ status: 0, out: 'no credentials\n' })
  await json('workspace', 'rename', 'masked-1-', 'ci', ...project)
  expect(await names()).toEqual(['ci', 'masked-1'])
  for (const one of await service.store.control.listAudit({ limit: 50 }))
    expect(JSON.stringify(one)).not.toContain(TOKEN)
})

embeddedTest('files of its own')('nothing of a masked name of a workspace is left in any file', async () => {
  const { service, call } = await startService()
  const { json } = commandsBeside(service)
  await json('account', 'credentials', '--set', 'allow')
  await call('remember', { content: 'The queue is Redis', workspace: TOKEN })
  expect(await filesHold(service, TOKEN)).toBe(true)
  await json('record', 'scan', '--mask', '--project', 'default')
  for (const form of [TOKEN, TOKEN.toLowerCase()]) expect([form, await filesHold(service, form)]).toEqual([form, false])
})

test('questions without an answer are searched, and kept without what is masked', async () => {
  const { service, project } = await startHistories()
  const { memsvc } = commandsBeside(service)
  const store = service.store.project(project.id)
  const question = { id: 'q', text: `which account is ${TOKEN} of`, asked: 3, at: service.clock.now() }
  await store.write((tx) => tx.addQuestions([question, { ...question, id: 'r', text: 'where is the vault' }], 9))
  const scan = (...words: string[]) => memsvc('record', 'scan', '--project', 'default', ...words)
  expect((await scan()).out).toMatch(/^github +q +question +line 1, column 18$/m)
  expect((await scan('--mask')).status).toBe(0)
  const texts = (await store.listQuestions({ limit: 9 })).map(({ text, asked }) => `${text}: ${asked}`)
  expect(texts.sort()).toEqual(['where is the vault: 3', 'which account is *** of: 3'])
  expect((await scan()).out).toBe('no credentials\n')
  expect(await filesHold(service, TOKEN)).toBe(false)
})

test('doctor names projects that were last searched by older rules, until they are scanned', async () => {
  const { service, project } = await startHistories()
  const { memsvc, json } = commandsBeside(service)
  const doctor = async () => (await memsvc('doctor', '--json')).out
  expect(await doctor()).not.toContain('record scan')
  await service.store.control.write((tx) => tx.update('projects', { id: project.id }, { credentialRules: 'older' }))
  expect(await doctor()).toContain("1 project with records that older rules looked for credentials in: 'default'")
  expect(await json('record', 'scan', '--project', 'default')).toMatchObject({ found: 0, records: [], backups: [] })
  expect(await doctor()).not.toContain('record scan')
})
