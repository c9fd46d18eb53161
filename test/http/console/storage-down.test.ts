import { expect, test } from 'bun:test'
import { DamagedProject, StorageDown } from '../../../src/errors.ts'
import { startConsole } from './browse.ts'

const down = () => Promise.reject(new StorageDown('the database does not answer', 'timeout'))

test('a page that the storage fails for a moment is not one that does not exist: it may be asked for again', async () => {
  const { service, url, get, at } = await startConsole()
  const project = service.store.project
  service.store.project = (id) => ({ ...project(id), readUsage: down })
  const page = await get(`${at}/settings`)
  expect([page.status, page.text.includes('The database does not answer; try again.')]).toEqual([503, true])
  service.store.control.find = down
  for (const path of ['/console/enter/some-link', '/console/join/some-link']) {
    const response = await fetch(new URL(path, url))
    expect([response.status, (await response.text()).includes('does not work')]).toEqual([503, false])
  }
})

test('a list that the storage fails for a moment may be asked for again: its filters are not at fault', async () => {
  const { service, get, at } = await startConsole()
  const project = service.store.project
  service.store.project = (id) => ({ ...project(id), listLatest: down })
  const page = await get(`${at}/review`)
  expect([page.status, page.text.includes('<h1>Not done</h1>')]).toEqual([503, true])
})

test('a damaged project keeps nobody from other pages of the console, even if it was opened last', async () => {
  const { service, get, at, project, cookie } = await startConsole()
  const open = service.store.project
  const damaged = () => Promise.reject(new DamagedProject(project.id, 'a.db', 'a.db is damaged'))
  service.store.project = (id) => ({ ...open(id), version: damaged })
  const headers = { cookie: `${cookie()}; memsvc_project=${project.id}` }
  for (const path of ['/console', '/console/me']) {
    const page = await get(path, headers)
    expect([page.status, page.text.includes(`href="${at}/overview"`)]).toEqual([200, true])
  }
  const page = await get(`${at}/review`, headers)
  expect([page.status, page.text.includes('href="/console/people"')]).toEqual([503, true])
  expect(page.text).toContain('The data of this project is damaged')
})
