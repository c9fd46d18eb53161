import { expect, onTestFinished, test } from 'bun:test'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readActivity } from '../../../../src/agent/histories/sync/activity.ts'
import { openSyncDatabase } from '../../../../src/agent/histories/sync/database.ts'
import { saveSyncSettings } from '../../../../src/agent/histories/sync/settings.ts'
import { nameOf } from '../../../../src/agent/histories/sync/target.ts'
import { readLines } from '../../../../src/history/read/session.ts'
import type { Service } from '../../../../src/service.ts'
import { FORMATS } from '../../../../src/transcripts/formats.ts'
import { createHistories } from '../../../builders/histories/histories.ts'
import { createRandom } from '../../../builders/histories/random.ts'
import { MARK } from '../../../builders/histories/writer.ts'
import { plantSecrets } from '../../../builders/planted-secrets.ts'
import { findFreePort } from '../../../free-port.ts'
import { makeFolder, openStartedCli } from '../../../run-cli.ts'
import { waitUntil } from '../../../wait-until.ts'
import { type ProxyFate, startFaultProxy } from './fault-proxy.ts'

const MAIN = join(import.meta.dir, '../../../../src/main.ts')
const ROUNDS = 14
const CHANGES_A_ROUND = 8
const SECRETS = plantSecrets(500, 23)

/** A service in a process of its own, which can be killed and started again; all that it ever logged. */
function createService(dataDir: string, port: number) {
  const logged: Promise<string>[] = []
  let child: Bun.Subprocess | undefined

  async function start(): Promise<void> {
    const env = { SVC_DATA_DIR: dataDir, SVC_PORT: String(port), SVC_LOG: 'info,access', PATH: process.env.PATH ?? '' }
    const started = Bun.spawn([process.execPath, MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    logged.push(new Response(started.stdout).text(), new Response(started.stderr).text())
    await waitUntil(
      'the service answers',
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true,
    )
  }

  async function kill(): Promise<void> {
    child?.kill('SIGKILL')
    await child?.exited
    child = undefined
  }

  return { start, kill, isRunning: () => child !== undefined, log: async () => (await Promise.all(logged)).join('\n') }
}

/** The lines of each history of the service, and every text that its files hold. */
async function readStored({ store }: Service, projectId: string) {
  const histories = store.history(projectId)
  const stored = new Map<string, string[]>()
  for (const source of await histories.listAllSources({ limit: 1_000 })) {
    const texts = await Array.fromAsync(readLines(histories, source, 1), ({ text }) => text)
    stored.set(`${source.assistant} ${source.sourceKey}`, texts)
  }
  const blocks: string[] = []
  const MAX_BLOCKS = 5_000
  for (let id = 1; id <= MAX_BLOCKS; id++) {
    const block = await histories.findBlock(id)
    if (block !== undefined) blocks.push(Buffer.from(await Bun.zstdDecompress(block.data)).toString('utf8'))
  }
  return { stored, text: blocks.join('\n') }
}

async function readFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return (
    await Promise.all(files.map(async (file) => Buffer.from(await Bun.file(file).bytes()).toString('latin1')))
  ).join('\n')
}

test('agent and service are killed between any two steps, answers are lost, segments repeated: every record is there in order, and no secret anywhere', async () => {
  const random = createRandom(5)
  const { folder: dataDir, secret, project, owner, onService } = await openStartedCli()
  const port = findFreePort()
  const service = createService(dataDir, port)
  onTestFinished(service.kill)
  const home = await makeFolder()
  let isCalm = false
  /**
   * Who is killed, after how many requests, and whether before or after the service has dealt with the last of them.
   */
  let plan = { victim: 'nobody', left: 0, isBefore: true }
  let agent: Bun.Subprocess<'pipe', 'ignore', 'ignore'> | undefined

  function killWhenDue(isBefore: boolean): void {
    if (plan.victim === 'nobody' || plan.isBefore !== isBefore || --plan.left > 0) return
    if (plan.victim === 'agent') agent?.kill('SIGKILL')
    else void service.kill()
    plan = { ...plan, victim: 'nobody' }
  }

  const decide = (): ProxyFate => {
    if (isCalm) return 'pass'
    killWhenDue(true)
    return random.chance(0.9) ? 'pass' : random.pick(['drop', 'cut', 'repeat'])
  }
  const proxy = startFaultProxy(`http://127.0.0.1:${port}`, decide, () => killWhenDue(false))
  onTestFinished(() => void proxy.stop())
  const environment = {
    HOME: home,
    SVC_STATE_DIR: join(home, 'state'),
    SVC_ENDPOINT: proxy.url,
    SVC_API_KEY: secret,
    PATH: process.env.PATH ?? '',
  }
  const folders = [join(home, 'app'), join(home, 'app/inner')]
  await mkdir(folders[1] ?? '', { recursive: true })
  const target = { endpoint: proxy.url, projectId: project.id, holderId: owner.id }
  const names = {
    assistants: [...FORMATS.keys()],
    project: 'default',
    account: 'default',
    holder: owner.name,
    key: '',
    since: null,
  }
  await saveSyncSettings(environment, {
    device: crypto.randomUUID(),
    isPaused: false,
    excluded: [],
    folders: [{ ...target, ...names, folder: join(home, 'app') }],
  })
  let planted = 0
  const plant = () => Array.from({ length: 8 }, () => SECRETS[planted++ % SECRETS.length]?.text ?? '').join('\n')
  const histories = await createHistories({ seed: 9, home, folders, plant })
  onTestFinished(() => histories.close())
  const database = openSyncDatabase(join(home, 'state'), 5_000)
  onTestFinished(() => database.close())
  /** Changes when all was uploaded, and when a failure makes the agent wait. */
  const outcome = () => {
    const { passes, last_error: error } = readActivity(database, nameOf(target))
    return `${passes} ${error?.at} ${error?.count}`
  }

  function startAgent(): void {
    if (agent !== undefined && agent.exitCode === null && agent.signalCode === null) return
    agent = Bun.spawn([process.execPath, MAIN, 'agent'], { env: environment, stdio: ['pipe', 'ignore', 'ignore'] })
  }
  onTestFinished(() => void agent?.kill('SIGKILL'))

  for (let round = 0; round < ROUNDS; round++) {
    for (let at = 0; at < CHANGES_A_ROUND; at++) await histories.act()
    if (!service.isRunning()) await service.start()
    plan = {
      victim: random.pick(['agent', 'agent', 'service']),
      left: 1 + random.below(12),
      isBefore: random.chance(0.5),
    }
    const before = outcome()
    startAgent()
    const isDead = () => agent?.signalCode !== null || !service.isRunning()
    await waitUntil(
      'somebody was killed, all was uploaded, or a failure is waited out',
      () => isDead() || outcome() !== before,
    )
    // The next round begins with another agent, since one that waits out a failure would be waited for.
    agent?.kill('SIGKILL')
    await agent?.exited
  }
  await histories.settle()
  isCalm = true
  if (!service.isRunning()) await service.start()
  const syncNow = () =>
    Bun.spawn([process.execPath, MAIN, 'sync', 'now'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  for (let times = 0; times < 2; times++) {
    const now = syncNow()
    expect([await now.exited, await new Response(now.stderr).text()]).toEqual([0, expect.any(String)])
  }
  await service.kill()

  const { stored, text } = await onService((opened) => readStored(opened, project.id))
  for (const { assistant, sourceKey, marks, isOrdered } of histories.expected()) {
    const found = new Set((stored.get(`${assistant} ${sourceKey}`) ?? []).flatMap((line) => MARK.exec(line)?.[0] ?? []))
    // What was removed from a file stays at the service.
    if (isOrdered) expect([sourceKey, [...found].filter((mark) => marks.includes(mark))]).toEqual([sourceKey, marks])
    else expect([...found]).toEqual(expect.arrayContaining(marks))
  }
  const everything = `${text}\n${await readFiles(dataDir)}\n${await service.log()}`.replaceAll('\\', '')
  expect(
    SECRETS.filter(({ secrets }) => secrets.some((one) => everything.includes(one))).map(({ kind }) => kind),
  ).toEqual([])
  expect(planted).toBeGreaterThan(SECRETS.length)
  expect(everything).toContain('[REDACTED:')
})
