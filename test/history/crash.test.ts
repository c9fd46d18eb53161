import { expect, test } from 'bun:test'
import { HOUR_MS } from '../../src/clock.ts'
import { eraseSession } from '../../src/history/erase/erase.ts'
import { purgeHistories } from '../../src/history/erase/purge.ts'
import { FIRST_CHAIN } from '../../src/history/upload/bounds.ts'
import { readHeads } from '../../src/history/upload/heads.ts'
import { putSegment } from '../../src/history/upload/put-segment.ts'
import { sha256Hex } from '../../src/secrets/secret.ts'
import type { Service } from '../../src/service.ts'
import type { HistoryStore } from '../../src/store/history.ts'
import { filesHold, startHistories } from './start-histories.ts'
import { claudeLine } from './upload-client.ts'

const KILLED = new Error('killed')

/**
 * The service as a process that is killed at its `step`-th write of histories, from 0: just before the write or, with
 * `committed`, just after it. Nothing of it does anything from then on.
 */
function killedAt(service: Service, step: number, committed: boolean): Service {
  let left = step
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
    return { ...verbs, write: write(verbs) }
  }
  return { ...service, store: { ...service.store, history } }
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
