import { expect, test } from 'bun:test'
import { StorageDown } from '../../../src/errors.ts'
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
