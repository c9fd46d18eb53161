import { expect, test } from 'bun:test'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'
import { embeddedTest } from '../stored-data.ts'

embeddedTest('room on a disk')('says that the process answers, and that the store does', async () => {
  const { url } = await startService()
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version: '0.0.0' })
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
    status: 'ok',
    free_bytes: expect.any(Number),
    last_commit_at: '2026-01-15T12:00:00.000Z',
  })
})

test('is not ready, and says no more than that, when the store cannot be written', async () => {
  const { url, service, logged } = await startService()
  const { check, close } = service.store
  await close()
  const response = await fetch(`${url}/readyz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ status: 'the store does not answer' })
  expect(logged.join('')).toContain('not ready')
  expect(await rejectionOf(check())).toBeString()
})

embeddedTest('a check that writes to the disk')(
  'however often it is asked whether it is ready, it writes once a second at most',
  async () => {
    const { url, pass } = await startService()
    const lastCommit = async () =>
      ((await (await fetch(`${url}/readyz`)).json()) as { last_commit_at: string }).last_commit_at
    expect(await lastCommit()).toBe('2026-01-15T12:00:00.000Z')
    pass(999)
    expect(await lastCommit()).toBe('2026-01-15T12:00:00.000Z')
    pass(1)
    expect(await lastCommit()).toBe('2026-01-15T12:00:01.000Z')
  },
)

test('answers an unknown path with 404', async () => {
  const { url } = await startService()
  const response = await fetch(`${url}/nowhere`)
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ error: 'not found' })
})
