import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { makeFolder, openStartedCli } from '../../run-cli.ts'

/** Records are saved, and refusals shown, in batches of 128. */
const IMPORTED = 'line 128: it is not JSON'
const CONTROL_C = '\u0003'
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

test('an import of what is typed at a terminal saves it, and ends at the first Ctrl-C', async () => {
  const { folder } = await openStartedCli()
  let shown = ''
  const command = Bun.spawn([process.execPath, MAIN, 'import', '-', '--project', 'default'], {
    env: { ...process.env, SVC_DATA_DIR: folder },
    terminal: {
      data(terminal, bytes) {
        const before = shown
        shown += new TextDecoder().decode(bytes)
        if (shown.includes(IMPORTED) && !before.includes(IMPORTED)) terminal.write(CONTROL_C)
      },
    },
  })
  command.terminal?.write(`{"content":"typed"}\r${'x\r'.repeat(200)}`)
  expect(await command.exited).toBe(1)
  expect(shown).toContain('1 saved, 0 existed already, ')
  expect(shown).toContain('stopped before the end')
})
