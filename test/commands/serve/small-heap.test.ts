import { expect, test } from 'bun:test'
import { join } from 'node:path'

const SOURCE = join(import.meta.dir, '../../../src/commands/restart.ts')
const GIBIBYTE = 2 ** 30

/**
 * Runs a program that restarts itself with two arguments and then says what it is: its arguments, the size and the
 * delay that it was given, and whether its id is that of its start.
 */
async function run(
  environment: Record<string, string>,
  { platform = 'linux', memoryBytes = 4 * GIBIBYTE, execPath = process.execPath } = {},
) {
  const program = `import { restartWithSmallHeap } from ${JSON.stringify(SOURCE)}
    Object.defineProperty(process, 'execPath', { value: ${JSON.stringify(execPath)} })
    restartWithSmallHeap(process.argv.slice(2), { environment: { STARTED: String(process.pid), ...process.env }, platform: '${platform}', memoryBytes: ${memoryBytes} })
    const { BUN_JSC_forceRAMSize: size, MIMALLOC_PURGE_DELAY: delay, STARTED: started = String(process.pid) } = process.env
    console.log(JSON.stringify({ args: process.argv.slice(2), size, delay, isSame: started === String(process.pid) }))`
  const file = join(process.env.TMPDIR ?? '/tmp', `small-heap-${crypto.randomUUID()}.ts`)
  await Bun.write(file, program)
  const ran = Bun.spawn([process.execPath, file, 'serve', '--port=0'], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdout: 'pipe',
  })
  const said = await new Response(ran.stdout).text()
  await Bun.file(file).delete()
  return JSON.parse(said)
}

const args = ['serve', '--port=0']

test.skipIf(process.platform === 'win32')(
  'the process starts again once, under its id and with its arguments, for an engine that keeps its heap small',
  async () => {
    expect(await run({})).toEqual({ args, size: String(256 * 2 ** 20), delay: '10', isSame: true })
  },
)

test.skipIf(process.platform === 'win32')('what the environment sets is kept', async () => {
  const size = String(GIBIBYTE)
  expect(await run({ BUN_JSC_forceRAMSize: size })).toEqual({ args, size, delay: '10', isSame: true })
  expect(await run({ BUN_JSC_forceRAMSize: size, MIMALLOC_PURGE_DELAY: '100' })).toEqual({
    args,
    size,
    delay: '100',
    isSame: true,
  })
})

test('a small machine, and one that cannot replace a process, go on as they are', async () => {
  expect(await run({}, { memoryBytes: 128 * 2 ** 20 })).toEqual({ args, isSame: true })
  expect(await run({}, { platform: 'win32' })).toEqual({ args, isSame: true })
  expect(await run({}, { execPath: '/nowhere/memsvc' })).toEqual({ args, isSame: true })
})
