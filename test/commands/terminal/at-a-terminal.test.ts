import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { makeFolder, openStartedCli } from '../../run-cli.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

test('a command ends once it has asked for something at a terminal', async () => {
  const { folder } = await openStartedCli()
  const kept = await makeFolder()
  let shown = ''
  const command = Bun.spawn([process.execPath, MAIN, 'backup', join(kept, 'b.tar.zst')], {
    env: { ...process.env, SVC_DATA_DIR: folder },
    terminal: {
      data(terminal, bytes) {
        shown += new TextDecoder().decode(bytes)
        if (shown.endsWith('leaves the key out): ')) terminal.write('\r')
      },
    },
  })
  expect(await command.exited).toBe(0)
  expect(shown).toContain('wrote and verified')
})
