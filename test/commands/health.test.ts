import { expect, test } from 'bun:test'
import { runCommand } from '../run-cli.ts'
import { startService } from '../start-service.ts'

/** A running service, and `memsvc health` for its port. */
async function startHealth() {
  const { url, service } = await startService()
  const { clock, random } = service
  const environment = { SVC_PORT: new URL(url).port, SVC_DATA_DIR: service.config.dataDir }
  const health = (...words: string[]) => runCommand({ environment, clock, random }, ['health', ...words])
  return { url, service, health }
}

test('a service that is ready has exit status 0, and what it says of itself with --json', async () => {
  const { url, health } = await startHealth()
  expect(await health()).toEqual({ status: 0, out: 'ready\n', err: '' })
  const { status, out } = await health('--json')
  expect(status).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ url, ready: true, status: 'ok', last_commit_at: '2026-01-15T12:00:00.000Z' })
})

test('a service that is not ready has exit status 1, with the reason', async () => {
  const { url, service, health } = await startHealth()
  await service.store.close()
  const err = `memsvc: the service at ${url} is not ready: the store does not answer\n`
  expect(await health()).toEqual({ status: 1, out: '', err })
  const { out, ...rest } = await health('--json')
  expect(rest).toEqual({ status: 1, err })
  expect(JSON.parse(out)).toEqual({ url, ready: false, status: 'the store does not answer' })
})

test('where nothing answers, the exit status is 1', async () => {
  const { service } = await startHealth()
  const { clock, random } = service
  const health = (...words: string[]) =>
    runCommand({ environment: { SVC_PORT: '1' }, clock, random }, ['health', ...words])
  const { out, ...rest } = await health('--json')
  expect(rest).toEqual({ status: 1, err: 'memsvc: nothing answers at http://127.0.0.1:1\n' })
  expect(JSON.parse(out)).toEqual({ url: 'http://127.0.0.1:1', ready: false, status: null })
})
