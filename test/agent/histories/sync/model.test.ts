import { expect, onTestFinished, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Uploader } from '../../../../src/agent/histories/sync/pass.ts'
import { createHistories } from '../../../builders/histories/histories.ts'
import { createRandom, type Random } from '../../../builders/histories/random.ts'
import { MARK } from '../../../builders/histories/writer.ts'
import { plantSecrets } from '../../../builders/planted-secrets.ts'
import { openMachine } from './machine.ts'
import { createSyncEndpoint, type Fate, type Stored } from './sync-endpoint.ts'

const SEEDS = [1, 2]
const CHANGES = 100
const SECRETS = plantSecrets(500, 11)
/** After which a lease is free. */
const LONG_MS = 60_000

/**
 * An uploader that may die before and after every request, and after every piece that it reads: from then on nothing of
 * it reaches the database.
 */
function toMortal(uploader: Uploader, random: Random): Uploader {
  const { client, read, database } = uploader
  const mayDie = () => {
    if (!random.chance(0.04)) return
    database.close()
    throw new Error('killed')
  }
  const around = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    mayDie()
    const value = await act()
    mayDie()
    return value
  }
  return {
    ...uploader,
    client: {
      ...client,
      readHeads: (...rest) => around(() => client.readHeads(...rest)),
      putSegment: (segment) => around(() => client.putSegment(segment)),
    },
    read: async function* (...rest) {
      for await (const piece of read(...rest)) {
        mayDie()
        yield piece
      }
    },
  }
}

/** The service as it was before some of its segments, as after a restore. */
function setBack(histories: Map<string, Stored>, kept: Map<string, Stored[]>, random: Random): void {
  const history = [...histories.values()][random.below(Math.max(1, histories.size))]
  const states = kept.get(history?.id ?? '') ?? []
  const state = states[random.below(Math.max(1, states.length))]
  if (history !== undefined && state !== undefined) Object.assign(history, copyOf(state))
}

const copyOf = (history: Stored): Stored => ({ ...history, lines: new Map(history.lines) })

test.each(SEEDS)(
  'of histories that live as real ones do every record arrives in order and no secret does, whoever dies and whatever answer is lost (seed %i)',
  async (seed) => {
    const random = createRandom(seed + 2_000)
    let isCalm = false
    const decide = (): Fate => {
      if (isCalm || random.chance(0.85)) return 'answer'
      return random.pick<() => Fate>([() => 'cut', () => 'drop', () => new Response('{}', { status: 503 })])()
    }
    const endpoint = createSyncEndpoint(decide)
    onTestFinished(() => void endpoint.stop())
    const machine = await openMachine(endpoint.url)
    const folders = [join(machine.home, 'app'), join(machine.home, 'app/other project')]
    await mkdir(folders[1] ?? '')
    let planted = 0
    const plant = () => Array.from({ length: 6 }, () => SECRETS[planted++ % SECRETS.length]?.text ?? '').join('\n')
    const histories = await createHistories({ seed, home: machine.home, folders, plant })
    onTestFinished(() => histories.close())
    const foreign = await histories.plantForeign()
    const kept = new Map<string, Stored[]>()
    let now = histories.later()

    async function pass(): Promise<void> {
      now = Math.max(histories.later(), now) + LONG_MS
      const uploader = { ...machine.openUploader(), now: () => now }
      await machine
        .pass(isCalm ? uploader : toMortal(uploader, random), { isThorough: isCalm || random.chance(0.2) })
        .catch((error) => {
          if (isCalm) throw error
        })
    }

    for (let at = 0; at < CHANGES; at++) {
      await histories.act()
      if (random.chance(0.3)) await pass()
      if (random.chance(0.1))
        for (const one of endpoint.histories.values()) kept.set(one.id, [...(kept.get(one.id) ?? []), copyOf(one)])
      if (random.chance(0.05)) setBack(endpoint.histories, kept, random)
    }
    await histories.settle()
    isCalm = true
    await pass()
    await pass()

    const stored = new Map([...endpoint.histories.values()].map((one) => [`${one.assistant} ${one.sourceKey}`, one]))
    for (const { assistant, sourceKey, marks, isOrdered } of histories.expected()) {
      const lines = stored.get(`${assistant} ${sourceKey}`)?.lines.values() ?? []
      const found = new Set([...lines].flatMap((line) => MARK.exec(line)?.[0] ?? []))
      // What was removed from a file stays at the service.
      if (isOrdered) expect([...found].filter((mark) => marks.includes(mark))).toEqual(marks)
      else expect([...found]).toEqual(expect.arrayContaining(marks))
    }
    const all = [...endpoint.linesOf().values()].flat().join('\n')
    expect(endpoint.violations).toEqual([])
    expect([...foreign.filter((mark) => all.includes(mark)), foreign.length]).toEqual([1])
    expect(findSecrets(all.replaceAll('\\', ''))).toEqual([])
    expect(planted).toBeGreaterThan(SECRETS.length)
    expect(all.match(/\[REDACTED:/g)?.length).toBeGreaterThan(SECRETS.length)
  },
)

function findSecrets(text: string): string[] {
  return SECRETS.filter(({ secrets }) => secrets.some((secret) => text.includes(secret))).map(({ kind }) => kind)
}
