import { expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MIB = 2 ** 20
const LONG_LINE_BYTES = 200 * MIB
const FOLLOWING = '{"type":"event_msg","payload":{"type":"after"}}'

/** A history with one line of 200 MiB, whose picture takes it up, and another line. */
async function writeLongHistory(file: string): Promise<void> {
  const out = Bun.file(file).writer({ highWaterMark: MIB })
  out.write(
    '{"timestamp":"t","type":"response_item","payload":{"type":"message","content":[{"image_url":"data:image/png;base64,',
  )
  for (let written = 0; written < LONG_LINE_BYTES; written += MIB) {
    out.write('A'.repeat(MIB))
    await out.flush()
  }
  out.write(`"},{"text":"beside it"}]}}\n${FOLLOWING}\n`)
  await out.end()
}

async function read(file: string) {
  const process_ = Bun.spawn([process.execPath, join(import.meta.dir, 'read-in-process.ts'), file], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = JSON.parse(await new Response(process_.stdout).text()) as {
    count: number
    last: string
    maxBytes: number
  }
  await process_.exited
  return said
}

test('a line of 200 MiB takes no more memory than a small one, give or take a fifth of its size; also compressed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-histories-'))
  try {
    const small = join(folder, 'small.jsonl')
    await writeFile(small, `${FOLLOWING}\n`)
    const { maxBytes: least } = await read(small)
    const long = join(folder, 'long.jsonl')
    await writeLongHistory(long)
    expect(
      Bun.spawnSync([
        'sh',
        '-c',
        `bun -e 'await Bun.write("${long}.zst", await Bun.zstdCompress(await Bun.file("${long}").bytes()))'`,
      ]).exitCode,
    ).toBe(0)
    for (const file of [long, `${long}.zst`]) {
      const { count, last, maxBytes } = await read(file)
      expect({ count, last }).toEqual({ count: 2, last: FOLLOWING })
      expect(maxBytes - least).toBeLessThan(LONG_LINE_BYTES / 5)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
