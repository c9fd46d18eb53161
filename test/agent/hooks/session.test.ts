import { expect, test } from 'bun:test'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetOldSessions } from '../../../src/agent/hooks/input.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts'
import { makeFolder } from '../../run-cli.ts'

test('old sessions are forgotten, however many are younger', async () => {
  const state = await makeFolder()
  const now = Date.UTC(2026, 0, 15)
  await mkdir(join(state, 'sessions'))
  const make = async (name: string, at: number) => {
    await writeFile(join(state, 'sessions', name), '{}')
    await utimes(join(state, 'sessions', name), at / 1_000, at / 1_000)
  }
  for (let nth = 0; nth < 400; nth++) await make(`young-${nth}.json`, now)
  for (let nth = 0; nth < 100; nth++) await make(`${nth % 2 === 0 ? 'a' : 'z'}-old-${nth}.json`, now - 8 * DAY_MS)
  for (let minute = 0; minute < 5; minute++) await forgetOldSessions({ SVC_STATE_DIR: state }, now + minute * MINUTE_MS)
  expect((await readdir(join(state, 'sessions'))).filter((name) => name.includes('old'))).toEqual([])
  expect(await readdir(join(state, 'sessions'))).toHaveLength(400)
})
