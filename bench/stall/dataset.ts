import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AuditEvent, toAuditEntry } from '../../src/account/audit/audit.ts'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { issueKey } from '../../src/account/keys/key.ts'
import { addAccount } from '../../src/account/organizations/account.ts'
import { firstRun } from '../../src/account/organizations/first-run.ts'
import { addMember } from '../../src/account/organizations/member.ts'
import { addProject } from '../../src/account/organizations/project.ts'
import { toWord } from '../../src/commands/bench/texts.ts'
import { readConfig } from '../../src/config.ts'
import { toEntry } from '../../src/memory/search/index/index-entry.ts'
import { openService, type Service } from '../../src/service.ts'
import type { Account, Member, Project } from '../../src/store/account.ts'
import type { ProjectStore } from '../../src/store/project.ts'
import type { IndexEntry, NewRecord } from '../../src/store/record.ts'
import { migrations } from '../../src/store/sqlite/migrations.ts'
import { toRecord } from '../record.ts'

/**
 * Changes with what is made, and with the steps that files are migrated by, so that a folder made by an older maker is
 * made anew.
 */
const VERSION = `2 ${migrations.control.length} ${migrations.project.length}`

export const DISTINCT_TERMS = 540_000
export const RECORDS = 55_000
/** Of the records of the large project, how many have expired. */
export const EXPIRED = 49_000
export const WORKSPACES = 49_900
/** Records of 64 KiB under one source, and of as many control characters under another. */
export const SOURCE_RECORDS = 4_090
export const CONTROL_RECORDS = 512
/** Events in the audit log of the attackers' account, each on a record of its own. */
export const EVENTS = 20_000
/** Verified records of 64 KiB that speak of one fact, so that a save of it meets them all. */
export const RIVALS = 512

export const SOURCE = 'attack/source'
export const CONTROLS = 'attack/controls'
export const RIVAL_FACT = 'attack fact'
export const PASSWORD = 'correct horse battery staple'

const MAX_CONTENT_BYTES = 65_536
const HOUR_MS = 3_600_000
/** Records written in one transaction. */
const BATCH = 100
const FUNCTION_WORDS =
  'the of and to in is that for it was on with as by at from this are be not we has have will can which'.split(' ')

/** What the attacks need to know of the folder. */
export type Dataset = {
  version: string
  /** Keys by project: `quiet` is of another account than all others. */
  keys: Record<'quiet' | 'large' | 'wide' | 'sourced' | 'empty', string>
  /** A second key of the large project, whose holder shares nothing with the first but the project. */
  otherKey: string
  /** The project ids, by the same names. */
  projects: Record<'quiet' | 'large' | 'wide' | 'sourced' | 'empty', string>
  /** An owner and a plain member of the attackers' account, who sign in with `PASSWORD`. */
  owner: string
  member: string
  distinctTerms: number
}

/**
 * The folder's data set, made where it is not there or was made by another version of this file: some 900 MB, in a
 * minute or two.
 */
export async function prepareDataset(folder: string, say: (line: string) => void): Promise<Dataset> {
  const known = readDataset(folder)
  if (known !== undefined) return known
  rmSync(join(folder, 'data'), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const service = await openAt(toDataFolder(folder))
  try {
    const made = await makeDataset(service, say)
    writeFileSync(toFactsFile(folder), JSON.stringify(made, null, 2), { mode: 0o600 })
    return made
  } finally {
    await service.close()
  }
}

export const toDataFolder = (folder: string) => join(folder, 'data')

const toFactsFile = (folder: string) => join(folder, 'dataset.json')

function readDataset(folder: string): Dataset | undefined {
  if (!existsSync(toFactsFile(folder))) return undefined
  const read = JSON.parse(readFileSync(toFactsFile(folder), 'utf8')) as Dataset
  return read.version === VERSION ? read : undefined
}

function openAt(dataDir: string): Promise<Service> {
  const clock = { now: () => Date.now(), ticks: () => performance.now() }
  const random = {
    uuid: (at: number) => Bun.randomUUIDv7('hex', at),
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  return openService({ config: { ...readConfig({}), dataDir }, clock, random, log: () => {}, version: 'bench' })
}

async function makeDataset(service: Service, say: (line: string) => void): Promise<Dataset> {
  const first = await firstRun(service)
  if (first === undefined) throw new Error('the folder is not new')
  const { account, owner, project: large } = first
  const bystander = await addAccount(service, COMMAND_LINE, { name: 'bystander', plan: 'self-hosted' })
  const member = await addMember(service, COMMAND_LINE, {
    account,
    email: 'member@localhost',
    name: 'Member',
    role: 'member',
  })
  const hash = await service.passwords.hash(PASSWORD)
  await service.store.control.write(async (tx) => {
    for (const { id } of [owner, member]) await tx.save('passwords', { memberId: id, hash })
  })
  const [quiet, wide, sourced, empty] = [
    await addProject(service, COMMAND_LINE, { account: bystander, name: 'quiet' }),
    await addProject(service, COMMAND_LINE, { account, name: 'wide' }),
    await addProject(service, COMMAND_LINE, { account, name: 'sourced' }),
    await addProject(service, COMMAND_LINE, { account, name: 'empty' }),
  ]
  const keyOf = async (project: Project, holder?: Member) =>
    (await issueKey(service, COMMAND_LINE, { project, member: holder })).secret
  const filled: [string, Project, (project: ProjectStore, author: Author) => Promise<void>][] = [
    ['large', large, fillLarge],
    ['wide', wide, fillWide],
    ['sourced', sourced, fillSourced],
  ]
  for (const [name, project, fill] of filled) {
    const start = performance.now()
    await fill(service.store.project(project.id), { owner: owner.id, member: member.id })
    say(`${name}: filled in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
  }
  await saveOne(service.store.project(quiet.id), { content: 'The pager is on the shelf', authorId: account.id })
  await fillAudit(service, account, large)
  await service.store.tidy()
  return {
    version: VERSION,
    keys: {
      quiet: await keyOf(quiet),
      large: await keyOf(large, owner),
      wide: await keyOf(wide, member),
      sourced: await keyOf(sourced, member),
      empty: await keyOf(empty, member),
    },
    otherKey: await keyOf(large, member),
    projects: { quiet: quiet.id, large: large.id, wide: wide.id, sourced: sourced.id, empty: empty.id },
    owner: owner.email,
    member: member.email,
    distinctTerms: await countTerms(service.store.project(large.id)),
  } satisfies Dataset & { account?: Account }
}

type Author = { owner: string; member: string }

/**
 * Every record brings words that no other has, beside common ones; one in a hundred is a draft, one in three hundred
 * has 64 KiB.
 */
async function fillLarge(project: ProjectStore, { owner, member }: Author): Promise<void> {
  const workspace = await project.write((tx) => tx.insertWorkspace('default', Date.now()))
  const each = Math.ceil(DISTINCT_TERMS / RECORDS)
  const now = Date.now()
  await saveMany(project, RECORDS, (at) => {
    const own = Array.from({ length: each }, (_, nth) => toWord(at * each + nth))
    const common = Array.from(
      { length: 12 },
      (_, nth) => FUNCTION_WORDS[(at * 7 + nth * 5) % FUNCTION_WORDS.length] ?? 'the',
    )
    const words = own.flatMap((word, nth) => [common[nth % common.length] ?? 'the', word])
    const content = at % 300 === 0 ? fillUp(`${words.join(' ')} budget `) : `${words.join(' ')} budget`
    const author = at % 2 === 0 ? owner : member
    return {
      ...toRow(workspace.id, content, author),
      audience: at % 100 === 0 ? `a:${author}` : '*',
      sourceId: at % 3 === 0 ? `file-${at % 500}` : null,
      sourceHash: at % 3 === 0 ? `hash-${at % 2}` : null,
      expiresAt: at < EXPIRED ? now - HOUR_MS : null,
    }
  })
}

/** As many workspaces as a plan has, with a record each. */
async function fillWide(project: ProjectStore, { owner }: Author): Promise<void> {
  for (let at = 0; at < WORKSPACES; at += BATCH) {
    await project.write(async (tx) => {
      for (let nth = at; nth < Math.min(at + BATCH, WORKSPACES); nth++) {
        const { id } = await tx.insertWorkspace(`area-${nth}`, Date.now())
        await tx.insertRecord(withEntry(toRow(id, `Area ${nth} has its budget in sheet ${nth % 977}`, owner)))
      }
    })
  }
}

/**
 * Records of the largest content under one source, of control characters under another, and verified ones of one fact.
 */
async function fillSourced(project: ProjectStore, { member }: Author): Promise<void> {
  const workspace = await project.write((tx) => tx.insertWorkspace('default', Date.now()))
  const large = fillUp('large ')
  const entry = toEntry({ content: large, askedAs: null })
  await saveMany(project, SOURCE_RECORDS, (at) => ({
    ...toRow(workspace.id, replaceStart(large, `large ${at} `), member),
    sourceId: SOURCE,
    sourceHash: at % 2 === 0 ? 'old' : 'new',
    entry,
  }))
  const controls = `control ${'\u0001'.repeat(MAX_CONTENT_BYTES - 8)}`
  await saveMany(project, CONTROL_RECORDS, (at) => ({
    ...toRow(workspace.id, replaceStart(controls, `control ${at} `), member),
    sourceId: CONTROLS,
    sourceHash: 'old',
    entry,
  }))
  await saveMany(project, RIVALS, (at) => ({
    ...toRow(workspace.id, replaceStart(large, `rival ${at} `), member),
    factKey: RIVAL_FACT,
    factKeyGiven: true,
    status: 'verified',
    entry,
  }))
}

/** Forgotten records, which the log names one by one. */
async function fillAudit({ store }: Service, account: Account, project: Project): Promise<void> {
  for (let at = 0; at < EVENTS; at += BATCH) {
    const entries = Array.from({ length: BATCH }, () =>
      toAuditEntry(Date.now(), COMMAND_LINE, toForgetting(account, project)),
    )
    await store.control.write(async (tx) => {
      for (const entry of entries) await tx.insertAudit(entry)
    })
  }
}

const toForgetting = ({ id }: Account, project: Project): AuditEvent => ({
  act: 'record.forget',
  accountId: id,
  projectId: project.id,
  target: crypto.randomUUID(),
  details: { key: crypto.randomUUID() },
})

/** Words up to the largest content. */
function fillUp(beginning: string): string {
  const words = Array.from(
    { length: 2_000 },
    (_, at) => `${FUNCTION_WORDS[at % FUNCTION_WORDS.length]} ${toWord(at)}`,
  ).join(' ')
  return (beginning + words.repeat(4)).slice(0, MAX_CONTENT_BYTES)
}

const replaceStart = (text: string, start: string) => start + text.slice(start.length)

type Row = Omit<NewRecord, 'entry'> & { entry?: IndexEntry }

const toRow = (workspaceId: number, content: string, authorId: string): Row =>
  toRecord({ workspaceId, authorId, content, factKey: 'note', sourceId: null })

const withEntry = (row: Row): NewRecord => ({ ...row, entry: row.entry ?? toEntry(row) })

async function saveMany(project: ProjectStore, count: number, make: (at: number) => Row): Promise<void> {
  for (let at = 0; at < count; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - at) }, (_, nth) => withEntry(make(at + nth)))
    await project.write(async (tx) => {
      for (const row of rows) await tx.insertRecord(row)
    })
  }
}

async function saveOne(
  project: ProjectStore,
  { content, authorId }: { content: string; authorId: string },
): Promise<void> {
  const workspace = await project.write((tx) => tx.insertWorkspace('default', Date.now()))
  await project.write((tx) => tx.insertRecord(withEntry(toRow(workspace.id, content, authorId))))
}

async function countTerms(project: ProjectStore): Promise<number> {
  return (await project.listTerms({ audience: '*', first: '', end: '\u{10ffff}', limit: 2 ** 31 })).length
}
