import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { DAY_MS, HOUR_MS } from '../../src/clock.ts'
import { eraseAllSessions, eraseSession, forgetSource } from '../../src/history/erase/erase.ts'
import { purgeHistories, removeMemberAndHistories } from '../../src/history/erase/purge.ts'
import { indexHistories } from '../../src/history/index/index-histories.ts'
import { toWords } from '../../src/history/index/words.ts'
import { FIRST_CHAIN } from '../../src/history/upload/bounds.ts'
import { readHeads } from '../../src/history/upload/heads.ts'
import { putSegment } from '../../src/history/upload/put-segment.ts'
import { sha256Hex } from '../../src/secrets/secret.ts'
import type { Service } from '../../src/service.ts'
import type { Member } from '../../src/store/account.ts'
import type { HistoryStore } from '../../src/store/history-verbs.ts'
import { embeddedTest } from '../stored-data.ts'
import { filesHold, readFiles, startHistories } from './start-histories.ts'
import { claudeLine, createUploadClient } from './upload-client.ts'

const KILLED = new Error('killed')

/**
 * The service as a process that is killed at its `step`-th write of histories, from 0: just before the write or, with
 * `committed`, just after it. Each step of scrubbing counts as a write. Nothing of it does anything from then on.
 */
function killedAt(service: Service, step: number, committed: boolean): Service & { isKilled: () => boolean } {
  let left = step
  const goOn = () => {
    left -= 1
    if (left < 0) throw KILLED
  }
  const scrub =
    (verbs: HistoryStore): HistoryStore['scrub'] =>
    async (isStopped) => {
      goOn()
      await verbs.scrub(() => {
        goOn()
        return isStopped()
      })
    }
  const write =
    (verbs: HistoryStore): HistoryStore['write'] =>
    async (act) => {
      left -= 1
      if (left < 0 && !(committed && left === -1)) throw KILLED
      const value = await verbs.write(act)
      if (left < 0) throw KILLED
      return value
    }
  const history = (id: string) => {
    const verbs = service.store.history(id)
    return { ...verbs, write: write(verbs), scrub: scrub(verbs) }
  }
  return { ...service, store: { ...service.store, history }, isKilled: () => left < 0 }
}

async function start() {
  const running = await startHistories()
  const { service, actor, owner, projectId } = running
  const described = (name: string) => ({
    assistant: 'claude-code',
    sourceKey: name,
    sessionId: name,
    kind: 'main' as const,
    parentSessionId: null,
    cwd: null,
    gitBranch: null,
    appVersion: null,
    firstAt: null,
    lastAt: null,
  })
  const headOf = async (name: string) => {
    const [head] = await readHeads(service, actor, {
      projectId,
      agreed: { projectId, ownerId: owner.id },
      device: 'd',
      sources: [described(name)],
    })
    if (head === undefined) throw new Error('no head')
    return head
  }
  const putTo = async (by: Service, name: string, lines: string[]) => {
    const body = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    const { sourceId } = await headOf(name)
    return putSegment(by, actor, {
      projectId,
      sourceId,
      isFirst: true,
      digest: sha256Hex(body),
      chain: FIRST_CHAIN,
      body,
    })
  }
  const bytes = async () => (await service.store.history(projectId).readHistoryUsage()).bytes
  /** What the hourly purge does once the time of an upload that was cut short is over. */
  const settle = async () => {
    running.pass(2 * HOUR_MS)
    await purgeHistories(service)
  }
  return { ...running, headOf, putTo, bytes, settle }
}

/** Enough for several blocks, and so for several writes. */
const LINES = Array.from({ length: 600 }, (_, at) => claudeLine(`u${at}`, `line ${at}`))
const MAX_STEPS = 20

test.each([
  ['before', false],
  ['after', true],
] as const)(
  'killed just %s any write of an upload, a service has all of the segment or nothing, and takes it when it comes again',
  async (_, committed) => {
    const { service, putTo, textsOf, headOf, bytes, settle, sessions } = await start()
    await putTo(service, 'whole', LINES.slice(0, 50))
    let isThrough = false
    for (let step = 0; !isThrough && step < MAX_STEPS; step++) {
      const name = `session ${step}`
      const killed = await putTo(killedAt(service, step, committed), name, LINES).catch((error) => error)
      isThrough = killed !== KILLED
      const { sourceId, chain } = await headOf(name)
      const seen = (await sessions()).filter(({ id }) => id === sourceId)
      expect(seen.map(({ lines }) => lines)).toEqual(chain === FIRST_CHAIN ? [] : [600])
      expect((await putTo(service, name, LINES)).isNew).toBe(chain === FIRST_CHAIN)
      expect(await textsOf(sourceId)).toEqual(LINES.map((_line, at) => `line ${at}`))
      expect((await putTo(service, name, LINES)).isNew).toBe(false)
    }
    expect(isThrough).toBe(true)
    const before = await bytes()
    await settle()
    expect(await bytes()).toBe(before)
    expect(await sessions()).not.toBeEmpty()
  },
)

test.each([
  ['before', false],
  ['after', true],
] as const)(
  'killed just %s any write of an erasing, a service has erased all or nothing to a reader, and all once it goes on',
  async (_, committed) => {
    const { service, actor, projectId, putTo, headOf, textsOf, sessions, settle } = await start()
    await putTo(service, 'kept', LINES.slice(0, 300))
    let isThrough = false
    for (let step = 0; !isThrough && step < MAX_STEPS; step++) {
      const name = `session ${step}`
      const secret = `pelican${step}x`
      await putTo(service, name, [...LINES, claudeLine(`own ${step}`, secret)])
      const { sourceId } = await headOf(name)
      const killed = await eraseSession(killedAt(service, step, committed), actor, { projectId, id: sourceId }).catch(
        (error) => error,
      )
      isThrough = killed !== KILLED
      const seen = (await sessions()).filter(({ id }) => id === sourceId)
      if (seen.length > 0) await eraseSession(service, actor, { projectId, id: sourceId })
      expect(seen.map(({ lines }) => lines)).toEqual(seen.length > 0 ? [601] : [])
      await settle()
      expect(await filesHold(service, secret)).toBe(false)
    }
    expect(isThrough).toBe(true)
    expect(await textsOf((await headOf('kept')).sourceId)).toHaveLength(300)
  },
)

type Erasing = {
  by: Service
  member: Member
  sourceId: string
  running: Awaited<ReturnType<typeof start>>
}

const ERASINGS: [name: string, (erasing: Erasing) => Promise<unknown>][] = [
  [
    'one session',
    ({ by, member, sourceId: id, running: { actorOf, projectId } }) =>
      eraseSession(by, actorOf(member), { projectId, id }),
  ],
  [
    'all sessions',
    ({ by, member, running: { actorOf, projectId } }) => eraseAllSessions(by, actorOf(member), { projectId }),
  ],
  [
    'a source to upload anew',
    ({ by, member, sourceId: id, running: { actorOf, projectId } }) =>
      forgetSource(by, actorOf(member), { projectId, id }),
  ],
  ['what is too old', ({ by }) => purgeHistories(by, undefined, by.clock.now() + 366 * DAY_MS)],
  ['those of a removed person', ({ by, member }) => removeMemberAndHistories(by, COMMAND_LINE, member)],
]

const SECRETS = Array.from({ length: 8 }, (_, at) => `pelican${at}x`).join(' ')

/**
 * How words end in the index, which leaves out what one and the next begin with. Without those that hashes or names in
 * the files may have by chance.
 */
async function toEnds(ownerId: string, text: string): Promise<string[]> {
  const ends = (await toWords(ownerId, text)).map((word) => word.toString(36).slice(-6))
  return ends.filter((end) => /\d/.test(end) && /[g-z]/.test(end))
}

embeddedTest('has files of its own').each(ERASINGS)(
  'killed at any step of erasing %s, a service has no word of it in any file after the next purge',
  async (_, erase) => {
    const running = await start()
    const { service, org, url, projectId } = running
    const store = service.store.history(projectId)
    let isThrough = false
    for (let step = 0; !isThrough && step < MAX_STEPS; step++) {
      const member = await org.addMember(`Ada${step}`)
      const client = createUploadClient(url, await org.keyOf(member))
      const head = await client.head()
      await client.append(head, [claudeLine('u1', SECRETS)])
      await indexHistories(service)
      const ends = await toEnds(member.id, SECRETS)
      const findHeld = async () => {
        const files = await readFiles(service)
        return ['pelican', ...ends].filter((text) => files.some((file) => file.includes(text)))
      }
      expect((await findHeld()).length).toBeGreaterThan(1)
      const by = killedAt(service, step, true)
      const erasing = { by, member, sourceId: head.source_id, running }
      await erase(erasing).catch((error) => expect(error).toBe(KILLED))
      isThrough = !by.isKilled()
      await purgeHistories(service)
      // Killed before anything was erased.
      if ((await store.readHistoryUsage(member.id)).sources > 0) await erase({ ...erasing, by: service })
      expect(await findHeld()).toEqual([])
      expect(await store.listBlocks({ after: 0, limit: 1 })).toEqual([])
    }
    expect(isThrough).toBe(true)
  },
)
