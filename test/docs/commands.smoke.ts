import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { startExecutable } from '../smoke/running.ts'
import { type Block, readBlocks } from './blocks.ts'
import { PREPARED, SUBSTITUTES } from './prepared.ts'

// Every command of the documentation, run as it stands by a shell, with the built file on the PATH, an empty home, and
// beside a service that has just been started for the first time. `bun run build` makes the file.

const ROOT = join(import.meta.dir, '../..')
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`), 'CONTRIBUTING.md'].filter(
  (name) => name.endsWith('.md'),
)
/** What a line of a block without a language must not begin with. */
const COMMAND = /^(\$ |sudo |memsvc |npx |npm |bun |docker |curl |tar |claude |codex |gemini |opencode |cline )/m
/** A reason for a mark that is worth reading. */
const REASON = /^(needs|asks|serves|installs|takes|goes) \S+/

const started: Subprocess[] = []
const folder = mkdtempSync(join(tmpdir(), 'memsvc-docs-'))
afterAll(async () => {
  for (const process of started) process.kill('SIGKILL')
  await Promise.all(started.map(({ exited }) => exited))
  rmSync(folder, { recursive: true, force: true })
})

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')
const isRun = ({ language, notRun, outputOf }: Block) =>
  (language === 'sh' && notRun === undefined) || outputOf !== undefined

/** A machine of its own for a page, with a service that has just made its first account. */
async function openMachine(page: string) {
  const machine = join(folder, page.replaceAll('/', '-'))
  for (const name of ['bin', 'home', 'work']) mkdirSync(join(machine, name), { recursive: true })
  symlinkSync(join(ROOT, 'dist/memsvc'), join(machine, 'bin/memsvc'))
  cpSync(join(ROOT, 'examples'), join(machine, 'work/examples'), { recursive: true })
  const cwd = join(machine, 'work')
  const home = { HOME: join(machine, 'home'), PATH: `${join(machine, 'bin')}:/usr/local/bin:/usr/bin:/bin` }
  const { url, stop } = await startExecutable(join(machine, 'bin/memsvc'), cwd, 'data', started, home)
  const [, key = ''] = /Key +(svc_\w+)/.exec(readFileSync(join(cwd, 'data/first-key.txt'), 'utf8')) ?? []
  const env = {
    ...home,
    SVC_DATA_DIR: 'data',
    SVC_ENDPOINT: new URL(url).origin,
    SVC_PORT: new URL(url).port,
    KEY: key,
  }

  /** Nothing is written outside the machine, and the service is where it is. */
  const localize = (text: string) =>
    [
      ...SUBSTITUTES,
      [/\/var\//g, `${machine}/var/`] as const,
      [/http:\/\/127\.0\.0\.1:8787/g, env.SVC_ENDPOINT] as const,
    ].reduce((done, [found, instead]) => done.replace(found, instead), text)

  async function run(script: string) {
    writeFileSync(join(machine, 'block.sh'), localize(script))
    const child = Bun.spawn(['sh', '-eux', join(machine, 'block.sh')], {
      cwd,
      env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    started.push(child)
    const [out, err, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { out, err, status }
  }

  return { run, stop }
}

/** What lines begin with: words in a first column, or the first word. */
const toShape = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => /^\S+/.exec(line)?.[0])

test.each(PAGES.filter((page) => readBlocks(read(page)).some(isRun)))(
  'every command of %s does what it is asked',
  async (page) => {
    const { run, stop } = await openMachine(page)
    expect({ prepared: page, ...(await run(PREPARED[page] ?? 'true')) }).toMatchObject({ status: 0 })
    for (const { text, line, outputOf } of readBlocks(read(page)).filter(isRun)) {
      const { out, err, status } = await run(outputOf ?? text)
      expect({ block: `${page}:${line}`, status, ...(status !== 0 && { out, err }) }).toEqual({
        block: `${page}:${line}`,
        status: 0,
      })
      if (outputOf !== undefined)
        expect({ block: `${page}:${line}`, shape: toShape(out) }).toEqual({
          block: `${page}:${line}`,
          shape: toShape(text),
        })
      expect(out).not.toContain('"isError":true')
    }
    expect(await stop()).toBe(0)
  },
)

test('every block of commands says that it is one, and where it is not run, why', () => {
  const blocks = PAGES.flatMap((page) =>
    readBlocks(read(page)).map((block) => ({ ...block, at: `${page}:${block.line}` })),
  )
  expect(blocks.filter(isRun).length).toBeGreaterThan(20)
  expect(
    blocks
      .filter(({ language, text, notRun }) => language === '' && notRun === undefined && COMMAND.test(text))
      .map(({ at }) => at),
  ).toEqual([])
  expect(blocks.filter(({ notRun }) => notRun !== undefined && !REASON.test(notRun)).map(({ at }) => at)).toEqual([])
})
