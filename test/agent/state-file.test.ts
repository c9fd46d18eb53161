import { expect, test } from 'bun:test'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readState, saveState } from '../../src/agent/state-file.ts'
import { rejectionOf } from '../rejection-of.ts'
import { makeStateDir } from './start-agent.ts'

test('a state is written whole or not at all, and leaves nothing else behind', async () => {
  const folder = await makeStateDir()
  await saveState(join(folder, 'one.json'), { a: 1 })
  await mkdir(join(folder, 'two.json'))
  expect(await rejectionOf(saveState(join(folder, 'two.json'), { a: 2 }))).toContain('EISDIR')
  expect(await readState(join(folder, 'one.json'))).toEqual({ a: 1 })
  expect((await readdir(folder)).sort()).toEqual(['one.json', 'two.json'])
})
