import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { compare, createLedger, NOTHING_WRONG, work } from '../durability/ledger.ts'
import { readKept } from '../durability/rounds.ts'
import { makeFolder, openStartedCli } from '../run-cli.ts'
import { startExecutable } from '../smoke/running.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const LINES = 3_000

test('an import beside a running server loses nothing, of its own and of what assistants save meanwhile', async () => {
  const { folder, project, secret } = await openStartedCli()
  const file = join(await makeFolder(), 'many.jsonl')
  await writeFile(
    file,
    Array.from({ length: LINES }, (_, i) => JSON.stringify({ content: `imported note ${i}` })).join('\n'),
  )
  const started: Subprocess[] = []
  const server = await startExecutable([process.execPath, MAIN], folder, folder, started)
  const ledger = createLedger()
  const assistants = Array.from({ length: 4 }, (_, i) =>
    work(ledger, { url: server.url, key: secret, name: `assistant ${i}` }, () => {}),
  )

  const importing = Bun.spawn([process.execPath, MAIN, 'import', file, '--project', 'default', '--json'], {
    env: { SVC_DATA_DIR: folder },
    stderr: 'pipe',
  })
  expect(JSON.parse(await new Response(importing.stdout).text())).toMatchObject({ saved: LINES, there: 0, refused: 0 })
  expect(await importing.exited).toBe(0)
  expect(await server.stop()).toBe(0)
  await Promise.all(assistants)

  const { kept } = await readKept(folder, project.id)
  expect(ledger.saved.size).toBeGreaterThan(0)
  expect(compare(ledger, kept)).toEqual(NOTHING_WRONG)
  const imported = kept.filter(({ content }) => content.startsWith('imported'))
  expect(imported.map(({ content }) => content)).toEqual(Array.from({ length: LINES }, (_, i) => `imported note ${i}`))
})
