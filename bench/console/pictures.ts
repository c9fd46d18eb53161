import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { makeEntryLink } from '../../src/account/auth/entry-link.ts'
import { issueKey } from '../../src/account/keys/key.ts'
import { type FirstRun, firstRun } from '../../src/account/organizations/first-run.ts'
import { addMember } from '../../src/account/organizations/member.ts'
import { renameProject } from '../../src/account/organizations/project.ts'
import { writeUses } from '../../src/account/upkeep.ts'
import { toDay } from '../../src/account/usage/call-uses.ts'
import { createApp } from '../../src/app.ts'
import { DAY_MS } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { verifyRecord } from '../../src/memory/records/verify.ts'
import { openService, type Service } from '../../src/service.ts'
import { launchBrowser } from '../../test/http/chromium.ts'

// Takes the pictures of the console that README and docs/console.md show, of the project of examples/team.jsonl after
// some weeks of use: `bun bench/console/pictures.ts`. The clock stands still, so that the same code makes the same
// pictures. Needs Debian's chromium.

const NOW = Date.UTC(2026, 0, 29, 9)
const PEOPLE = ['Mira', 'Jon', 'Wei']
/** Records of the example in Latin script, for which every machine has a font. */
const RECORDS = 38
const PICTURES = [
  { name: 'console-overview', path: 'overview', width: 1_280, height: 800 },
  { name: 'console-review', path: 'review', width: 1_280, height: 800 },
]

let now = NOW
const dataDir = mkdtempSync(join(tmpdir(), 'memsvc-pictures-'))
const clock = { now: () => now, ticks: () => now - NOW + 60 * DAY_MS }
const random = {
  uuid: (at: number) => Bun.randomUUIDv7('hex', at),
  bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
}
const config = { ...readConfig({}), host: '127.0.0.1', port: 0, dataDir, clientDocuments: 'off' as const }
now = NOW - 28 * DAY_MS
const service = await openService({ config, clock, random, log: () => {}, version: 'pictures' })
const begun = await firstRun(service)
if (begun === undefined) throw new Error('the folder is not new')
const app = createApp(service).listen({ hostname: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${app.server?.port}`
await renameProject(service, COMMAND_LINE, { project: begun.project, name: 'city-bikes' })
await saveAll(await addPeople(service, begun), begun)
await writeUses(service)
await addCalls(service, begun)
now = NOW
await takePictures(begun)
await app.stop(true)
await service.close()
rmSync(dataDir, { recursive: true })
process.exit(0)

/** Keys of the people of the team. */
async function addPeople(service: Service, { account, project }: FirstRun): Promise<string[]> {
  const secrets: string[] = []
  for (const name of PEOPLE) {
    const email = `${name.toLowerCase()}@example.org`
    const member = await addMember(service, COMMAND_LINE, { account, email, name, role: 'member' })
    const { secret } = await issueKey(service, COMMAND_LINE, { project, member, label: `${name}'s laptop` })
    secrets.push(secret)
  }
  return secrets
}

/** Saves the records of the example over four weeks, then what people have to look at. */
async function saveAll(secrets: string[], { project }: FirstRun): Promise<void> {
  const lines = readFileSync(join(import.meta.dir, '../../examples/team.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(0, RECORDS)
  const ids: string[] = []
  for (const [at, line] of lines.entries()) {
    now = NOW - 28 * DAY_MS + Math.floor((at / lines.length) * 27 * DAY_MS)
    ids.push(await remember(secrets[at % secrets.length] ?? '', JSON.parse(line)))
  }
  for (const id of ids.slice(0, 24)) await verifyRecord(service, COMMAND_LINE, { projectId: project.id, id })
  const [mira = '', jon = ''] = secrets
  now = NOW - DAY_MS / 4
  await remember(mira, {
    content: 'We deploy on every working day before noon since the pipeline takes nine minutes.',
    fact_key: JSON.parse(lines[4] ?? '').fact_key,
  })
  await remember(jon, { content: 'If a lock does not answer, send the log to the workshop and restart the gateway.' })
}

async function remember(secret: string, record: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const params = { name: 'remember', arguments: record }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
  const { result } = (await response.json()) as { result: { structuredContent?: { result: { id: string } } } }
  if (result.structuredContent === undefined) throw new Error(JSON.stringify(result))
  return result.structuredContent.result.id
}

/** Four weeks of calls: more on working days, a few of them refused. */
async function addCalls(service: Service, { project }: FirstRun): Promise<void> {
  const { control } = service.store
  const keys = await control.list('keys', { projectId: project.id })
  const today = toDay(NOW)
  for (let day = today - 28; day <= today; day++) {
    const isWeekend = [0, 6].includes(new Date(day * DAY_MS).getUTCDay())
    const count = isWeekend ? 4 : 24 + ((day * 7) % 11)
    const base = { projectId: project.id, day }
    await control.write((tx) =>
      tx.addDailyUse(
        keys.flatMap(({ id: keyId }) => [
          { ...base, keyId, tool: 'search', outcome: 'ok' as const, durationMs: 10, calls: count },
          { ...base, keyId, tool: 'remember', outcome: 'ok' as const, durationMs: 10, calls: Math.ceil(count / 5) },
          {
            ...base,
            keyId,
            tool: 'remember',
            outcome: 'refused' as const,
            durationMs: 10,
            calls: day % 4 === 0 ? 1 : 0,
          },
        ]),
      ),
    )
  }
}

async function takePictures({ owner, project }: FirstRun): Promise<void> {
  const browser = await launchBrowser()
  const page = await (await browser.newContext({ colorScheme: 'light' })).newPage()
  await page.goto(`${url}/console/enter/${await makeEntryLink(service, COMMAND_LINE, owner)}`)
  for (const field of await page.locator('input[type=password]').all()) await field.fill('correct horse battery')
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await page.waitForURL(/\/console$/)
  for (const { name, path, width, height } of PICTURES) {
    await page.setViewportSize({ width, height })
    await page.goto(`${url}/console/projects/${project.id}/${path}`)
    await page.screenshot({ path: join(import.meta.dir, `../../docs/${name}.png`) })
  }
  await browser.close()
}
