import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readServeAddress } from '../../../src/serve-address.ts'
import { type Change, makeFolder, openStartedCli } from '../../run-cli.ts'
import { waitUntil } from '../../wait-until.ts'

/** A service that listens on a free port over its data folder, and a home on its machine. */
async function serveFolder() {
  const cli = await openStartedCli({ environment: { SVC_PORT: '0', SVC_BACKUP_EVERY: 'off' } })
  const { promise: interrupted, resolve: stop } = Promise.withResolvers<void>()
  const served = cli.run(['serve'], { interrupted: () => interrupted })
  await waitUntil('the service listens', () => readServeAddress(cli.folder) !== undefined)
  const home = await makeFolder()
  const work = join(home, 'shop')
  await mkdir(work)
  const inHome = { HOME: home, PATH: '' }
  return {
    ...cli,
    home,
    work,
    url: readServeAddress(cli.folder) ?? '',
    /** In a shell on the service's machine. */
    memsvc: (words: string[], change: Change = {}) =>
      cli.run(words, { environment: { ...inHome, SVC_DATA_DIR: cli.folder }, ...change }),
    /** In a shell without variables, in a folder without data. */
    bare: (words: string[], change: Change = {}) =>
      cli.run(words, { environment: { ...inHome, SVC_DATA_DIR: join(home, 'none') }, ...change }),
    readEntries: async () => JSON.parse(await readFile(join(home, '.cursor/mcp.json'), 'utf8')).mcpServers,
    stop: async () => {
      stop()
      await served
    },
  }
}

test('a service on another port is connected by one command, and then brief, status, search and doctor work without variables', async () => {
  const { url, memsvc, bare, readEntries, remember, work, stop } = await serveFolder()
  try {
    await remember({ content: 'Releases go out on Tuesdays' })
    expect((await memsvc(['client', 'add', 'cursor', '--yes'])).out).toContain(
      "The service answers: project 'default'.",
    )
    expect((await readEntries()).memsvc.env.SVC_ENDPOINT).toBe(url)
    expect((await memsvc(['client', 'add', 'cursor', '--yes'])).err).toContain('is connected already')

    expect((await bare(['status'])).out).toContain(url)
    expect((await bare(['brief', '--dir', work])).out).toContain('Releases go out on Tuesdays')
    expect(await bare(['search', 'when do we release?'])).toMatchObject({
      out: expect.stringContaining('Releases go out on Tuesdays'),
      err: 'The key of cursor is used\n',
    })
    expect((await bare(['search', 'when?', '--workspace', 'shop'])).err).toEndWith(
      "workspace 'shop' is not active\nRecords are in 'default'. Name one of these as workspace, or '*' for all of them in search.\n",
    )
    expect((await bare(['doctor'])).out).toContain(`${url} answers`)
    expect((await memsvc(['doctor'])).out).toMatch(new RegExp(`ok +running +${url}`))
    const beside = await openStartedCli({ environment: { SVC_PORT: new URL(url).port } })
    expect((await beside.run(['doctor'])).out).toMatch(
      new RegExp(`warning +running +nothing serves this folder; what answers at ${url} is another service`),
    )
  } finally {
    await stop()
  }
  const { status, out, err } = await bare(['brief', '--dir', work])
  expect({ status, out, err }).toEqual({ status: 0, out: '', err: expect.stringContaining('cannot be reached') })
  expect((await bare(['search', 'release'])).status).toBe(4)
})

test('what differs from the wished service or project is said and replaced; several entries stand beside each other', async () => {
  const { url, memsvc, bare, readEntries, run, stop, work, home } = await serveFolder()
  try {
    await run(['project', 'add', 'website'])
    const wrong = { HOME: home, PATH: '', SVC_DATA_DIR: join(home, 'none') }
    const input = 'svc_0000000000000000000000000000001QYf5p'
    await run(['client', 'add', 'cursor', '--yes', '--key-stdin'], {
      environment: { ...wrong, SVC_ENDPOINT: 'http://127.0.0.1:9' },
      input,
    })
    const repaired = await memsvc(['client', 'add', 'cursor', '--yes', '--project', 'default'])
    expect(repaired.err).toContain('its settings name http://127.0.0.1:9. Not yet: The service cannot be reached')
    expect(repaired.out).toContain("The service answers: project 'default'.")
    const moved = await memsvc(['client', 'add', 'cursor', '--yes', '--project', 'website'])
    expect(moved.err).toContain(
      "the key in its settings is of project 'default', not 'website'. It stays valid until 'memsvc key revoke ",
    )
    expect(moved.out).toContain("The service answers: project 'website'.")

    await memsvc(['client', 'add', 'cursor', '--yes', '--project', 'default', '--name', 'memory2'])
    expect(Object.keys(await readEntries())).toEqual(['memsvc', 'memory2'])
    expect((await bare(['doctor'])).out).not.toContain('listed twice')
    expect((await memsvc(['client', 'add', 'cursor', '--yes', '--name', 'a b'])).err).toContain('--name must have')

    await memsvc(['client', 'remove', 'cursor', '--yes'])
    const [ofCursor] = (await bare(['client', 'list'])).out.split('\n').filter((line) => line.startsWith('cursor'))
    expect(ofCursor).toContain('agent (memory2)')
    expect((await bare(['doctor'])).out).toMatch(
      /ok +Cursor \(memory2\) +connected through the agent; svc_.* for project 'default'/,
    )
    expect((await bare(['brief', '--dir', work])).out).toStartWith('Project memory')
    await memsvc(['client', 'add', 'cursor', '--yes', '--project', 'default'])

    const { env } = (await readEntries()).memory2
    const removed = await memsvc(['client', 'remove', 'cursor', '--yes', '--revoke', '--name', 'memory2'])
    expect(removed.out).toContain('is revoked.')
    expect((await bare(['status'], { environment: { ...env } })).status).toBe(3)
    const elsewhere = await bare(['client', 'remove', 'cursor', '--yes', '--revoke'])
    expect(elsewhere).toMatchObject({
      status: 1,
      out: expect.stringContaining('Cursor: no longer connected.'),
      err: expect.stringMatching(
        new RegExp(`not revoked, since the data of their service is not here: \\w{8} of ${url}; run`),
      ),
    })
    await memsvc(['client', 'add', 'cursor', '--yes', '--project', 'default'])
    expect((await memsvc(['client', 'remove', 'cursor', '--yes'])).out).toContain(
      "stays valid until 'memsvc key revoke ",
    )
    expect(existsSync(join(home, '.cursor'))).toBe(false)
    expect(url).toStartWith('http://127.0.0.1:')
    expect(await readdir(work)).toEqual([])
  } finally {
    await stop()
  }
})

test('hooks are offered the check of a folder whose notes were imported', async () => {
  const { memsvc, work, run, stop } = await serveFolder()
  const before = process.cwd()
  try {
    for (const name of ['docs', 'other']) {
      await mkdir(join(work, name))
      await writeFile(join(work, name, 'release.md'), '# Release\n\nOn Tuesdays\n')
    }
    await run(['import', join(work, 'docs'), '--project', 'default', '--mirror'])
    process.chdir(work)
    const check = `memsvc import ${await realpath('docs')} --project default --mirror --check`
    expect((await memsvc(['client', 'add', 'cursor', '--yes'])).out).not.toContain('memsvc import')
    const { out } = await memsvc(['client', 'add', 'cursor', '--hooks', '--yes'])
    expect(out.split('\n').filter((line) => line.includes('memsvc import'))).toEqual([expect.stringContaining(check)])
    expect((await memsvc(['client', 'add', 'cursor', '--hooks', '--yes'])).err).toContain(check)
    expect((await run(check.split(' ').slice(1))).status).toBe(0)
    await writeFile(join(work, 'docs/release.md'), '# Release\n\nOn Thursdays\n')
    expect((await run(check.split(' ').slice(1))).status).toBe(1)
  } finally {
    process.chdir(before)
    await stop()
  }
})
