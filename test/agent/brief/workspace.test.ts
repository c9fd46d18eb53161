import { expect, test } from 'bun:test'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findWorkspace, setWorkspace } from '../../../src/agent/brief/workspace.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder } from '../../run-cli.ts'

/** A machine with a folder of projects, and what the agent keeps elsewhere. */
async function openMachine() {
  const [projects, state] = await Promise.all([makeFolder(), makeFolder()])
  const environment = { HOME: projects, SVC_STATE_DIR: state }
  const makeRepository = async (name: string, remote?: string) => {
    await mkdir(join(projects, name, '.git'), { recursive: true })
    await setRemote(name, remote)
  }
  const setRemote = (name: string, remote: string | undefined) =>
    writeFile(
      join(projects, name, '.git/config'),
      remote === undefined ? '[core]\n' : `[core]\n[remote "origin"]\n\turl = ${remote}\n\tfetch = x\n`,
    )
  return {
    projects,
    environment,
    makeRepository,
    setRemote,
    find: (...path: string[]) => findWorkspace(environment, join(projects, ...path)),
  }
}

test.each([
  ['git@example.org:team/shop.git', 'shop'],
  ['https://user:word@example.org/team/shop', 'shop'],
  ['ssh://git@example.org:2222/team/shop.git/', 'shop'],
  ['/srv/git/Übersicht.git', 'Ubersicht'],
])('the remote %s stands for workspace %s', async (remote, workspace) => {
  const { makeRepository, find, projects } = await openMachine()
  await makeRepository('work', remote)
  await mkdir(join(projects, 'work/src/deep'), { recursive: true })
  expect(await find('work', 'src', 'deep')).toBe(workspace)
})

test('a remote may stand on the line of its section, another one is taken without origin, and a hostile file takes no longer', async () => {
  const { makeRepository, find, projects } = await openMachine()
  await makeRepository('shop')
  const config = (text: string) => writeFile(join(projects, 'shop/.git/config'), text)
  await config('[remote "origin"] url = https://[2001:db8::1]/team/inline.git\n')
  expect(await find('shop')).toBe('inline')
  await makeRepository('bare')
  await writeFile(
    join(projects, 'bare/.git/config'),
    '[remote "fork"]\n\turl = a:team/fork\n[branch "main"]\n\turl = no\n[remote "origin"]\n',
  )
  expect(await find('bare')).toBe('fork')
  await makeRepository('hostile')
  const blank = '\n'.repeat(500_000)
  await writeFile(
    join(projects, 'hostile/.git/config'),
    `[remote "origin"]${blank}[remote "origin"]\n${' '.repeat(400_000)}x\n\turl = a:team/last`,
  )
  expect(await find('hostile')).toBe('last')
})

test('without a remote the folder names the workspace; the home folder and the root of the disk have none', async () => {
  const { makeRepository, find, projects } = await openMachine()
  await makeRepository('tool')
  await mkdir(join(projects, 'plain folder'))
  expect([await find('tool'), await find('plain folder'), await find(), await find('gone')]).toEqual([
    'tool',
    'plain-folder',
    'default',
    'default',
  ])
})

test('a renamed folder, a renamed remote and another clone keep the workspace', async () => {
  const { makeRepository, setRemote, find, projects } = await openMachine()
  await makeRepository('shop', 'git@example.org:team/shop.git')
  expect(await find('shop')).toBe('shop')
  await rename(join(projects, 'shop'), join(projects, 'store'))
  await setRemote('store', 'git@example.org:team/store.git')
  expect(await find('store')).toBe('shop')
  await makeRepository('second-clone', 'https://example.org/team/store')
  expect(await find('second-clone')).toBe('shop')
})

test('work trees share the workspace of their repository', async () => {
  const { makeRepository, find, projects } = await openMachine()
  await makeRepository('shop')
  await mkdir(join(projects, 'shop/.git/worktrees/fix'), { recursive: true })
  await writeFile(join(projects, 'shop/.git/worktrees/fix/commondir'), '../..\n')
  await mkdir(join(projects, 'elsewhere'))
  await writeFile(join(projects, 'elsewhere/.git'), `gitdir: ${projects}/shop/.git/worktrees/fix\n`)
  expect(await find('elsewhere')).toBe('shop')
})

test('a folder made anew under the name of another is not taken for it', async () => {
  const { environment, find, projects } = await openMachine()
  await mkdir(join(projects, 'a'))
  await setWorkspace(environment, join(projects, 'a'), 'mine')
  expect(await find('a')).toBe('mine')
  await rename(join(projects, 'a'), join(projects, 'b'))
  await mkdir(join(projects, 'a'))
  expect([await find('a'), await find('b')]).toEqual(['a', 'mine'])
})

test('a workspace is not assigned where that cannot be kept, nor to the home folder', async () => {
  const { environment, projects } = await openMachine()
  await mkdir(join(projects, 'a'))
  const nowhere = { HOME: projects, SVC_STATE_DIR: '/dev/null/none' }
  expect(await rejectionOf(setWorkspace(nowhere, join(projects, 'a'), 'mine'))).toBe(
    'what was decided cannot be kept in the state folder (ENOTDIR); nothing was changed',
  )
  for (const folder of [projects, '/', join(projects, 'none')])
    expect(await rejectionOf(setWorkspace(environment, folder, 'mine'))).toBe(
      `'${folder}' can have no workspace of its own; name the folder of a project`,
    )
})

test('what is kept may be broken or not writable', async () => {
  const { environment, find, projects } = await openMachine()
  await mkdir(join(projects, 'a'))
  await writeFile(join(environment.SVC_STATE_DIR, 'workspaces.json'), '[{"workspace":1}, {')
  expect(await find('a')).toBe('a')
  expect(await findWorkspace({ HOME: projects, SVC_STATE_DIR: '/dev/null/none' }, join(projects, 'a'))).toBe('a')
})
