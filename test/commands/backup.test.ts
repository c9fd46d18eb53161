import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '../../src/clock.ts'
import { repeat } from '../../src/commands/backup/backup.ts'
import { isRoot } from '../is-root.ts'
import { makeFolder, openStartedCli } from '../run-cli.ts'
import { dump } from '../store/sqlite/damage/varied-data.ts'
import { waitUntil } from '../wait-until.ts'

const PASSPHRASE = 'correct horse battery'
const INTEGRATION = {
  slug: 'notes',
  name: 'Notes',
  url: 'https://notes.example/mcp',
  headers: { authorization: 'Bearer secret-of-notes' },
}

type Made = {
  file: string
  incomplete: { project?: string; reason: string }[]
  counts: Record<string, number>
  deleted: string[]
}

/** A data folder with two projects, a stored credential, and a folder for backups beside it. */
async function openFolder(environment: Record<string, string> = {}) {
  const cli = await openStartedCli({ environment })
  await cli.remember({ content: 'The build listens on port 9090' })
  const second = await cli.onOrganization(async (org) => {
    await org.connect(INTEGRATION)
    return org.addProject('second')
  })
  await cli.run(['record', 'save', 'Releases go out on Tuesdays', '--project', 'second'])
  const kept = await makeFolder()
  const inFolder = (folder: string, words: string[]) =>
    cli.run(words, { environment: { ...environment, SVC_DATA_DIR: folder } })
  return {
    ...cli,
    second,
    kept,
    target: join(kept, 'restored'),
    inFolder,
    backUp: (...words: string[]) => cli.json<Made>(['backup', kept, ...words]),
  }
}

const listContents = (out: string) => (JSON.parse(out) as { content: string }[]).map(({ content }) => content)

test('everything comes back, row by row, into an empty folder', async () => {
  const { folder, backUp, run, target, inFolder, second, project, kept } = await openFolder({
    SVC_BACKUP_PASSPHRASE: PASSPHRASE,
  })
  const { file, counts } = await backUp()
  expect(counts).toEqual({ accounts: 1, members: 1, projects: 2, keys: 1, records: 2 })
  expect([(await stat(file)).mode & 0o777, readdirSync(kept)]).toEqual([0o600, [file.slice(kept.length + 1)]])
  expect(await run(['restore', file, '--data', target])).toMatchObject({
    status: 0,
    out: expect.stringContaining('secret.key is in place'),
  })
  for (const id of [project.id, second.id])
    expect(dump(join(target, 'projects', `${id}.db`))).toBe(dump(join(folder, 'projects', `${id}.db`)))
  expect(await readFile(join(target, 'secret.key'), 'utf8')).toBe(await readFile(join(folder, 'secret.key'), 'utf8'))
  const { out } = await inFolder(target, ['doctor'])
  expect(
    out
      .split('\n')
      .filter((line) => /^\w+ +(control file|project)/.test(line))
      .every((line) => line.startsWith('ok')),
  ).toBe(true)
  expect(listContents((await inFolder(target, ['record', 'list', '--project', 'second', '--json'])).out)).toEqual([
    'Releases go out on Tuesdays',
  ])
})

test('the key of credentials is in it only encrypted, and what was left out is said', async () => {
  const { backUp, run, kept, folder, target } = await openFolder()
  const { file } = await backUp()
  expect((await run(['backup', 'verify', file])).out).toContain('secret.key is NOT in it, since there is no passphrase')
  expect(await run(['restore', file, '--data', target])).toMatchObject({ status: 0 })
  expect(existsSync(join(target, 'secret.key'))).toBe(false)
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return PASSPHRASE
  }
  const sealed = join(kept, 'sealed.tar.zst')
  expect(await run(['backup', sealed], { ask, isInputTerminal: true })).toMatchObject({ status: 0 })
  expect(asked).toHaveLength(2)
  const archive = Bun.zstdDecompressSync(await readFile(sealed)).toString('latin1')
  expect(archive).not.toContain((await readFile(join(folder, 'secret.key'), 'utf8')).trim())
  expect(archive).not.toContain('secret-of-notes')
})

test('a wrong passphrase, and none, leave the folder empty; without the key it is restored', async () => {
  const { backUp, target, inFolder, run } = await openFolder({ SVC_BACKUP_PASSPHRASE: PASSPHRASE })
  const { file } = await backUp()
  const restore = (environment: Record<string, string>, ...words: string[]) =>
    run(['restore', file, '--data', target, ...words], { environment })
  expect(await restore({ SVC_BACKUP_PASSPHRASE: 'another passphrase' })).toMatchObject({
    status: 1,
    err: 'memsvc: the passphrase is not the one that the key was encrypted with\n',
  })
  expect(await restore({})).toMatchObject({ status: 1, err: expect.stringContaining('SVC_BACKUP_PASSPHRASE_FILE') })
  expect(readdirSync(target)).toEqual(['serve.lock'])
  expect(await restore({}, '--without-key')).toMatchObject({ status: 0 })
  expect((await inFolder(target, ['project', 'list'])).out).toContain('second')
})

test('restores into nothing but an empty folder that no service uses', async () => {
  const { backUp, run, folder, target } = await openFolder()
  const { file } = await backUp()
  const before = dump(join(folder, 'control.db'))
  expect((await run(['restore', file])).err).toContain('is not empty')
  expect(dump(join(folder, 'control.db'))).toBe(before)
  await mkdir(target)
  await writeFile(join(target, 'mine.txt'), '')
  expect((await run(['restore', file, '--data', target])).err).toContain("is not empty ('mine.txt')")
})

test('one project alone is restored into another service, under a new id', async () => {
  const { backUp, second, run, target } = await openFolder()
  const other = await openFolder()
  const { file } = await backUp('--project', 'second')
  expect((await run(['restore', file, '--data', target])).err).toContain(
    'is of one project; restore it with --as <name>',
  )
  const made = await other.json<{ id: string }>(['restore', file, '--as', 'from elsewhere'])
  expect(made.id).not.toBe(second.id)
  expect(listContents((await other.run(['record', 'list', '--project', made.id, '--json'])).out)).toEqual([
    'Releases go out on Tuesdays',
  ])
  expect((await other.run(['doctor', '--json'])).out).toContain(
    '"project \'from elsewhere\'","state":"ok","detail":"1 record"',
  )
  expect((await other.run(['restore', file, '--as', 'second'])).err).toBe(
    "memsvc: the account already has a project 'second'\n",
  )
})

test('one project of a whole backup comes back beside what has become of it', async () => {
  const { backUp, run, json } = await openFolder()
  const { file } = await backUp()
  const [saved] = await json<{ id: string }[]>(['record', 'list', '--project', 'second'])
  await run(['record', 'forget', saved?.id ?? '', '--project', 'second'])
  expect((await run(['restore', file, '--as', 'as it was'])).err).toContain(
    'has several projects; name one with --project',
  )
  await run(['restore', file, '--as', 'as it was', '--project', 'second'])
  const contentsOf = async (project: string) =>
    listContents((await run(['record', 'list', '--project', project, '--json'])).out)
  expect([await contentsOf('second'), await contentsOf('as it was')]).toEqual([[], ['Releases go out on Tuesdays']])
  const search = await json<{ result?: unknown[] }>(['search', 'when do releases go out', '--project', 'as it was'])
  expect(JSON.stringify(search)).toContain('Releases go out on Tuesdays')
})

test('a project that nothing was ever written to comes back too, from a backup of everything or of it alone', async () => {
  const { backUp, run, json, kept, folder, target, inFolder } = await openFolder()
  const empty = await json<{ id: string }>(['project', 'add', 'empty'])
  expect(existsSync(join(folder, 'projects', `${empty.id}.db`))).toBe(false)
  const { file: everything } = await backUp()
  const alone = join(kept, 'alone')
  await run(['backup', alone, '--project', 'empty'])
  for (const [file, name] of [
    [everything, 'from everything'],
    [alone, 'from itself'],
  ] as const) {
    expect(await run(['restore', file, '--project', 'empty', '--as', name])).toMatchObject({ status: 0, err: '' })
    await run(['record', 'save', 'The first note', '--project', name])
    expect(listContents((await run(['record', 'list', '--project', name, '--json'])).out)).toEqual(['The first note'])
  }
  expect((await run(['restore', alone, '--project', 'second', '--as', 'other'])).err).toBe(
    "memsvc: the backup has no project 'second'\n",
  )
  await run(['restore', everything, '--data', target])
  expect((await inFolder(target, ['record', 'save', 'The first note', '--project', 'empty'])).status).toBe(0)
})

test('a project that cannot be read keeps none of the others out, is named, and leaves older backups alone', async () => {
  const { backUp, run, project, folder, kept, target, inFolder, pass } = await openFolder()
  const { file: whole } = await backUp()
  pass(1000)
  await writeFile(
    join(folder, 'projects', `${project.id}.db`),
    'no database at all, but long enough to be looked at as if it were one',
  )
  const { status, out, err } = await run(['backup', kept, '--keep', '1h', '--json'])
  const { file, incomplete, deleted } = JSON.parse(out) as Made
  expect([status, err, deleted, existsSync(whole)]).toEqual([1, 'memsvc: the backup is not complete\n', [], true])
  expect([file.endsWith('-incomplete.tar.zst'), incomplete]).toEqual([
    true,
    [{ project: project.id, reason: expect.stringContaining('cannot be read') }],
  ])
  expect(await run(['restore', file, '--data', target])).toMatchObject({
    status: 1,
    err: 'memsvc: what the backup was made of was not whole\n',
  })
  expect((await inFolder(target, ['restore', file, '--project', project.id, '--as', 'again'])).err).toContain(
    'that project was not whole when it was backed up: ',
  )
  expect(listContents((await inFolder(target, ['record', 'list', '--project', 'second', '--json'])).out)).toHaveLength(
    1,
  )
})

test('--keep keeps what was just made, also beside a file of a later time, and counts no file that is empty or something else', async () => {
  const { backUp, run, kept, pass } = await openFolder()
  pass(6 * HOUR_MS)
  const { file: ahead } = await backUp()
  pass(-6 * HOUR_MS)
  await writeFile(join(kept, 'memsvc-20260115T110000Z.tar.zst'), '')
  await writeFile(join(kept, 'memsvc-20260115T113000Z.tar.zst'), 'no archive')
  const first = await backUp('--keep', '1d')
  pass(HOUR_MS)
  const second = await backUp('--keep', '1d')
  expect([first.deleted, second.deleted]).toEqual([[], ['memsvc-20260115T120000Z.tar.zst']])
  expect([existsSync(ahead), existsSync(second.file)]).toEqual([true, true])
  expect((await run(['backup', join(kept, 'mine'), '--keep', '1d'])).err).toContain('--every and --keep need a folder')
})

test('nothing is written over, and a target that cannot be written is told by its name', async () => {
  const { run, kept } = await openFolder()
  const file = join(kept, 'mine')
  await writeFile(file, 'mine')
  expect((await run(['backup', file])).err).toBe(`memsvc: '${file}' exists already\n`)
  expect((await run(['backup', join(kept, 'none', 'there')])).err).toContain(
    `memsvc: cannot write '${join(kept, 'none', 'there')}': ENOENT`,
  )
  expect([await readFile(file, 'utf8'), readdirSync(kept)]).toEqual(['mine', ['mine']])
})

test('leftovers of a killed process are erased, and one that vanishes meanwhile, as another backup ends, is no matter', async () => {
  const { backUp, kept } = await openFolder()
  const [old, vanished] = ['old', 'vanished'].map((name) => join(kept, `.${name}.memsvc-part`)) as [string, string]
  await mkdir(old)
  await utimes(old, 0, 0)
  // The name is listed, and nothing is there when it is looked at.
  await symlink(join(kept, 'nowhere'), vanished)
  const { file } = await backUp()
  expect(
    readdirSync(kept)
      .sort()
      .map((name) => join(kept, name)),
  ).toEqual([vanished, file])
})

test('an interrupt after the last project ends it too', async () => {
  const { run, kept, remember } = await openFolder()
  for (let at = 0; at < 9; at++)
    await remember({ content: `note ${at} ${crypto.getRandomValues(new Uint8Array(20_000)).toHex()}` })
  const isBegun = () => waitUntil('its folder', () => readdirSync(kept).length > 0)
  expect((await run(['backup', kept], { interrupted: isBegun })).err).toBe('memsvc: interrupted\n')
  expect(readdirSync(kept)).toEqual([])
})

test('an interrupt ends it and leaves nothing behind', async () => {
  const { run, kept } = await openFolder()
  expect(await run(['backup', kept], { interrupted: async () => {} })).toMatchObject({
    status: 1,
    err: 'memsvc: interrupted\n',
  })
  expect(readdirSync(kept)).toEqual([])
})

// A file system of its own needs the rights of root.
test.skipIf(!isRoot)('on a full disk, or a read-only one, it says so and leaves nothing behind', async () => {
  const { run, kept, remember } = await openFolder()
  for (let at = 0; at < 20; at++)
    await remember({ content: `note ${at} ${crypto.getRandomValues(new Uint8Array(20_000)).toHex()}` })
  expect(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', kept]).exitCode).toBe(0)
  try {
    const { status, err } = await run(['backup', kept])
    expect([status, err]).toEqual([1, expect.stringMatching(/cannot write '.*tar.zst': (the disk is full|ENOSPC)/)])
    expect(readdirSync(kept)).toEqual([])
    expect(Bun.spawnSync(['mount', '-o', 'remount,ro', kept]).exitCode).toBe(0)
    expect((await run(['backup', kept])).err).toMatch(/^memsvc: cannot write '.*tar.zst': EROFS/)
  } finally {
    Bun.spawnSync(['umount', '-l', kept])
  }
})

test('with --every, one backup that fails does not end those to come', async () => {
  const reported: unknown[] = []
  let left = 3
  const act = async () => {
    if (left === 2) throw new Error('the disk is full')
  }
  await repeat(
    act,
    async () => {
      left -= 1
    },
    () => left < 0,
    (error) => reported.push(error),
  )
  expect([left, reported]).toEqual([-1, [new Error('the disk is full')]])
})
