import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rejectionOf } from '../rejection-of.ts'
import { openCli, openStartedCli } from '../run-cli.ts'

type Listed = { id: string; name: string; account: string }

test('makes, lists and renames projects', async () => {
  const { json } = await openStartedCli()
  const { id } = await json<Listed>(['project', 'add', 'web'])
  await json(['project', 'rename', 'web', 'shop'])
  const projects = await json<Listed[]>(['project', 'list'])
  expect(projects.map(({ name }) => name)).toEqual(['default', 'shop'])
  expect(projects[1]?.id).toBe(id)
})

test('refuses a name that is taken, on standard error and with status 1', async () => {
  const { run } = await openStartedCli()
  expect(await run(['project', 'add', 'default'])).toEqual({
    status: 1,
    out: '',
    err: "memsvc: the account already has a project 'default'\n",
  })
})

test('erases a project only with --yes', async () => {
  const { run, json, remember, folder, project } = await openStartedCli()
  await remember({ content: 'pnpm is used' })
  const file = join(folder, 'projects', `${project.id}.db`)
  const refused = await run(['project', 'remove', 'default'])
  expect(refused.status).toBe(1)
  expect(refused.err).toContain('add --yes to do it')
  expect(existsSync(file)).toBe(true)

  await json(['project', 'remove', project.id, '--yes'])
  expect(existsSync(file)).toBe(false)
  expect(await json<Listed[]>(['project', 'list'])).toEqual([])
  expect(await rejectionOf(remember({ content: 'again' }))).toContain('Unauthorized')
})

test('a new data folder may begin with an account', async () => {
  const { run, json } = await openCli()
  expect(await run(['account', 'add', 'Acme'])).toMatchObject({ status: 0, err: '' })
  expect(await json<{ name: string }[]>(['account', 'list'])).toMatchObject([{ name: 'Acme', plan: 'self-hosted' }])
})

test('says that there is no data yet, and makes none', async () => {
  const { run, folder } = await openCli()
  const { status, err } = await run(['project', 'list'])
  expect(status).toBe(1)
  expect(err).toContain(`there is no data in '${folder}'; SVC_DATA_DIR names the folder of a service`)
  expect(existsSync(join(folder, 'control.db'))).toBe(false)
})

test('does not understand an unknown option: status 2', async () => {
  const { run } = await openStartedCli()
  const { status, out, err } = await run(['project', 'list', '--nope'])
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err).toContain("unknown option '--nope'")
})

test('every command says with --help what it takes', async () => {
  const { run } = await openCli()
  for (const words of [
    ['project', 'remove'],
    ['workspace', 'list'],
    ['record', 'restore'],
  ]) {
    const { status, out } = await run([...words, '--help'])
    expect(status).toBe(0)
    expect(out).toStartWith(`Usage: memsvc ${words.join(' ')} [options]`)
  }
})
