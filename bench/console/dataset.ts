import { randomUUIDv7 } from 'bun'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { issueKey } from '../../src/account/keys/key.ts'
import { addMember } from '../../src/account/organizations/member.ts'
import { addProject } from '../../src/account/organizations/project.ts'
import { toDay } from '../../src/account/usage/call-uses.ts'
import { DAY_MS } from '../../src/clock.ts'
import { toEntry } from '../../src/memory/search/index/index-entry.ts'
import type { Service } from '../../src/service.ts'
import type { Account, Member, Project } from '../../src/store/account.ts'
import type { NewRecord } from '../../src/store/record.ts'

export const RECORDS = 100_000
export const WORKSPACES = 1_000
const SOURCES = 4_000
const PEOPLE = 40
const PROJECTS = 60
const DAYS = 180
const BATCH = 200

export type Begun = { account: Account; project: Project; owner: Member }

/**
 * Fills a new service: a project of 100 000 records in 1 000 workspaces, some months of calls and audit events, and
 * people, keys and projects beside it.
 */
export async function fill(service: Service, begun: Begun): Promise<void> {
  const people = await addPeople(service, begun)
  await addRecords(service, begun, people)
  await addCallsAndEvents(service, begun)
}

async function addPeople(service: Service, { account, project }: Begun): Promise<Member[]> {
  const people: Member[] = []
  for (let at = 0; at < PEOPLE; at++) {
    const member = await addMember(service, COMMAND_LINE, {
      account,
      email: `p${at}@example.com`,
      name: `Person ${at}`,
      role: 'member',
    })
    people.push(member)
    await issueKey(service, COMMAND_LINE, { project, member, label: `laptop ${at}` })
  }
  for (let at = 0; at < PROJECTS; at++) await addProject(service, COMMAND_LINE, { account, name: `project ${at}` })
  return people
}

async function addRecords(service: Service, { project, owner }: Begun, people: Member[]): Promise<void> {
  const store = service.store.project(project.id)
  const workspaces: number[] = []
  for (let at = 0; at < WORKSPACES; at += BATCH)
    await store.write(async (tx) => {
      for (let one = at; one < Math.min(WORKSPACES, at + BATCH); one++)
        workspaces.push((await tx.insertWorkspace(one === 0 ? 'default' : `area-${one}`, service.clock.now())).id)
    })
  const entries = Array.from({ length: 500 }, (_, at) => {
    const content = `Part ${at} of the build listens on port ${8000 + at} and is deployed on ${['Monday', 'Tuesday', 'Friday'][at % 3]}s`
    return { content, entry: toEntry({ content, askedAs: null }) }
  })
  const start = service.clock.now() - DAYS * DAY_MS
  for (let from = 0; from < RECORDS; from += BATCH)
    await store.write(async (tx) => {
      for (let at = from; at < from + BATCH; at++) {
        const { content = '', entry = toEntry({ content: '', askedAs: null }) } = entries[at % entries.length] ?? {}
        const author = people[(at * 31) % people.length] ?? owner
        const createdAt = start + Math.floor((at / RECORDS) * DAYS * DAY_MS)
        const source = (at * 7919) % SOURCES
        const sourceId = at % 5 === 0 ? null : `docs/part-${source}.md`
        const workspaceId = workspaces[at % 3 === 0 ? 0 : source % WORKSPACES] ?? 1
        const record: NewRecord = {
          id: randomUUIDv7('hex', createdAt),
          workspaceId,
          audience: at % 20 === 0 ? `a:${author.id}` : at % 21 === 0 ? `a:${owner.id}` : '*',
          authorId: author.id,
          content: `${content}, seen as number ${at}`,
          factKey: `part-${at}`,
          factKeyGiven: at % 2 === 0,
          status: at % 10 === 3 ? 'superseded' : at % 5 === 1 ? 'verified' : 'unverified',
          supersededBy: null,
          sourceId,
          sourceHash: sourceId === null ? null : `hash-${Math.floor((at / RECORDS) * 4)}`,
          createdAt,
          refreshedAt: null,
          expiresAt: at % 20 === 7 ? createdAt + 200 * DAY_MS : null,
          forgottenAt: null,
          verifiedAt: at % 5 === 1 ? createdAt + 1 : null,
          needsReview: false,
          marked: false,
          askedAs: null,
          entry,
        }
        await tx.insertRecord(record)
        if (sourceId !== null && record.sourceHash !== null)
          await tx.saveSourceState(
            { workspaceId, sourceId, audience: record.audience },
            { hash: record.sourceHash, at: createdAt },
          )
        if (at % 100 === 99) await tx.forgetRecord(record.id, service.clock.now() - (at % 25) * DAY_MS)
      }
    })
}

const TOOLS = [
  'remember',
  'search',
  'forget',
  'validate_memory',
  'gateway_call',
  'wiki.read',
  'wiki.list',
  'code.get_file_contents',
]

async function addCallsAndEvents(service: Service, { account, project, owner }: Begun): Promise<void> {
  const { control } = service.store
  const keys = await control.list('keys', { projectId: project.id })
  const today = toDay(service.clock.now())
  for (let day = today - DAYS; day <= today; day++)
    await control.write(async (tx) => {
      for (const { id } of keys)
        await tx.addDailyUse(
          TOOLS.flatMap((tool, at) =>
            (['ok', 'refused'] as const).map((outcome) => ({
              projectId: project.id,
              day,
              tool,
              keyId: id,
              outcome,
              durationMs: outcome === 'ok' ? 10 : 50,
              calls: 1 + ((day + at) % 7),
            })),
          ),
        )
      for (let at = 0; at < 100; at++)
        await tx.insertAudit({
          at: day * DAY_MS + at,
          accountId: account.id,
          projectId: project.id,
          actor: `member:${owner.id}`,
          act: at % 5 === 0 ? 'record.reject' : 'record.verify',
          target: null,
          via: null,
          outcome: at % 5 === 0 ? 'refused' : 'done',
          details: at % 5 === 0 ? { scope: 'shared' } : {},
        })
    })
}
