import { expect, test } from 'bun:test'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findWorkspace, setWorkspace } from '../../../src/agent/brief/workspace.ts'
import { BOUND_MS, longestTurn } from '../../longest-turn.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder } from '../../run-cli.ts'

/** A machine with a folder of projects, and what the agent keeps elsewhere. */
async function openMachine() {
  const [projects, state] = await Promise.all([makeFolder(), makeFolder()])
  const environment = { HOME: projects, SVC_STATE_DIR: state }
  const kept = join(state, 'workspaces.json')
  const makeRepository = async (name: string, remote?: string) => {
    await mkdir(join(projects, name, '.git'), { recursive: true })
    await setRemote(name, remote)
  }
  const setRemote = (name: string, remote: string | undefined) =>
    setConfig(name, remote === undefined ? '[core]\n' : `[core]\n[remote "origin"]\n\turl = ${remote}\n\tfetch = x\n`)
  const setConfig = (name: string, text: string) => writeFile(join(projects, name, '.git/config'), text)
  return {
    projects,
    environment,
    kept,
    makeRepository,
    setRemote,
    setConfig,
    choose: (name: string, workspace: string) => setWorkspace(environment, join(projects, name), workspace),
    find: (...path: string[]) => findWorkspace(environment, join(projects, ...path), async () => false),
    findActive: (name: string) =>
      findWorkspace(environment, join(projects, name), async (workspace) => workspace === 'active'),
  }
}

test('a folder has no workspace of its own unless a person chose one, and then its subfolders have it', async () => {
  const { makeRepository, choose, find, projects, kept } = await openMachine()
  await makeRepository('shop', 'git@example.org:team/shop.git')
  await mkdir(join(projects, 'shop/src/deep'), { recursive: true })
  expect([await find('shop'), await find(), await find('gone')]).toEqual([undefined, undefined, undefined])
  expect(await Bun.file(kept).exists()).toBe(false)
  await choose('shop', 'market')
  expect([await find('shop'), await find('shop', 'src', 'deep')]).toEqual(['market', 'market'])
})

test('a workspace that an earlier program gave a folder is its own where something is saved there', async () => {
  const { choose, findActive, projects, kept } = await openMachine()
  for (const name of ['active', 'empty']) {
    await mkdir(join(projects, name))
    await choose(name, name)
  }
  const entries = JSON.parse(await readFile(kept, 'utf8')) as object[]
  await writeFile(kept, JSON.stringify(entries.map((entry) => ({ ...entry, isChosen: undefined }))))
  expect([await findActive('active'), await findActive('empty')]).toEqual(['active', undefined])
})

test.each([
  ['git@example.org:team/shop.git', 'https://example.org/team/shop'],
  ['https://user:word@example.org/team/shop', 'ssh://git@EXAMPLE.org:2222/team/shop.git/'],
  ['/srv/git/shop.git', '/srv//git/shop//'],
])('the remotes %s and %s are one', async (one, other) => {
  const { makeRepository, choose, find } = await openMachine()
  await makeRepository('first', one)
  await makeRepository('second', other)
  await choose('first', 'shop')
  expect(await find('second')).toBe('shop')
})

test('a remote may stand on the line of its section, and another one is taken without origin', async () => {
  const { makeRepository, setConfig, choose, find } = await openMachine()
  await makeRepository('inline', 'https://[2001:db8::1]/team/inline')
  await choose('inline', 'inline')
  await makeRepository('fork', 'a:team/fork')
  await choose('fork', 'fork')
  await makeRepository('other')
  await setConfig('other', '[remote "origin"] url = https://[2001:db8::1]/team/inline.git\n')
  expect(await find('other')).toBe('inline')
  await makeRepository('bare')
  await setConfig('bare', '[remote "fork"]\n\turl = a:team/fork\n[branch "main"]\n\turl = no\n[remote "origin"]\n')
  expect(await find('bare')).toBe('fork')
})

const LONG = 200_000
const toConfig = (url: string) => `[remote "origin"]\n\turl = ${url}\n`

test.each([
  ['slashes', toConfig(`x${'/'.repeat(LONG)}y`)],
  ['slashes within the bound', toConfig(`x${'/'.repeat(2_000)}y`)],
  ['back slashes', toConfig(`x${'\\'.repeat(LONG)}y`)],
  ['endings', toConfig(`x${'.git'.repeat(LONG)}y`)],
  ['signs', toConfig(`${'@'.repeat(LONG)}y`)],
  ['colons', toConfig(`${':'.repeat(LONG)}y`)],
  ['brackets', `[remote "${'"]'.repeat(LONG)}\n\turl = x`],
  ['blanks', `[remote "origin"]${'\n'.repeat(LONG)}${' '.repeat(LONG)}x\n\turl${' '.repeat(LONG)}x`],
])('a git configuration of very many %s takes no longer, and is kept in no more than 2 KB', async (_, config) => {
  const { makeRepository, setConfig, choose, find, kept } = await openMachine()
  await makeRepository('hostile')
  await setConfig('hostile', config)
  expect(await longestTurn(() => find('hostile'))).toBeLessThan(BOUND_MS)
  await choose('hostile', 'mine')
  expect(await find('hostile')).toBe('mine')
  expect(Bun.file(kept).size).toBeLessThan(2_500)
})

test('the home folder and the root of the disk have no workspace of their own', async () => {
  const { environment, projects } = await openMachine()
  for (const folder of [projects, '/', join(projects, 'none')])
    expect(await rejectionOf(setWorkspace(environment, folder, 'mine'))).toBe(
      `'${folder}' can have no workspace of its own; name the folder of a project`,
    )
})

test('a renamed folder, a renamed remote and another clone keep the workspace', async () => {
  const { makeRepository, setRemote, choose, find, projects } = await openMachine()
  await makeRepository('shop', 'git@example.org:team/shop.git')
  await choose('shop', 'market')
  await rename(join(projects, 'shop'), join(projects, 'store'))
  await setRemote('store', 'git@example.org:team/store.git')
  expect(await find('store')).toBe('market')
  await makeRepository('second-clone', 'https://example.org/team/store')
  expect(await find('second-clone')).toBe('market')
})

test('work trees share the workspace of their repository', async () => {
  const { makeRepository, choose, find, projects } = await openMachine()
  await makeRepository('shop')
  await choose('shop', 'market')
  await mkdir(join(projects, 'shop/.git/worktrees/fix'), { recursive: true })
  await writeFile(join(projects, 'shop/.git/worktrees/fix/commondir'), '../..\n')
  await mkdir(join(projects, 'elsewhere'))
  await writeFile(join(projects, 'elsewhere/.git'), `gitdir: ${projects}/shop/.git/worktrees/fix\n`)
  expect(await find('elsewhere')).toBe('market')
})

test('a folder made anew under the name of another is not taken for it', async () => {
  const { choose, find, projects } = await openMachine()
  await mkdir(join(projects, 'a'))
  await choose('a', 'mine')
  expect(await find('a')).toBe('mine')
  await rename(join(projects, 'a'), join(projects, 'b'))
  await mkdir(join(projects, 'a'))
  expect([await find('a'), await find('b')]).toEqual([undefined, 'mine'])
})

test('a choice that cannot be kept is refused, and what is kept may be broken', async () => {
  const { environment, projects, kept, find } = await openMachine()
  await mkdir(join(projects, 'a'))
  await writeFile(kept, '[{"workspace":1}, {')
  expect(await find('a')).toBeUndefined()
  const nowhere = { ...environment, SVC_STATE_DIR: '/dev/null/none' }
  expect(await findWorkspace(nowhere, join(projects, 'a'), async () => true)).toBeUndefined()
  expect(await rejectionOf(setWorkspace(nowhere, join(projects, 'a'), 'mine'))).toBe(
    'what was decided cannot be kept in the state folder (ENOTDIR); nothing was changed',
  )
})
