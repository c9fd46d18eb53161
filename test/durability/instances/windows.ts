import { WINDOW_MS } from '../../../src/store/windows.ts'
import { anyInstance } from './assistants.ts'
import { callTool } from './call.ts'
import type { Fleet } from './fleet.ts'

/**
 * A call that was limited: when it was sent and answered, and what became of it. `unknown` ones may have taken a place.
 */
export type Limited = {
  key: number
  sent: number
  received: number
  outcome: 'admitted' | 'key' | 'project' | 'unknown'
}

/** Calls with the keys of the limited project, at any instance, one after the other with each key, until `isOver`. */
export async function callLimited(
  fleet: Fleet,
  calls: Limited[],
  pauseMs: number,
  isOver: () => boolean,
): Promise<void> {
  const callWith = async (secret: string, key: number) => {
    while (!isOver()) {
      const sent = performance.now()
      const { kind, text } = await callTool(anyInstance(fleet).url, secret, 'search', { query: 'x' })
      calls.push({ key, sent, received: performance.now(), outcome: toOutcome(kind, text) })
      await Bun.sleep(pauseMs)
    }
  }
  await Promise.all(fleet.limited.keys.map(callWith))
}

function toOutcome(kind: string, text: string): Limited['outcome'] {
  if (text.includes('MCP rate limit exceeded')) return 'key'
  if (text.includes('project call limit exceeded')) return 'project'
  return kind === 'answered' ? 'admitted' : 'unknown'
}

/** When everything committed was on disk for the last time before a crash of the database, and when it was up again. */
export type Crash = { flushed: number; restarted: number }

/**
 * The calls. Those whose places in a window a crash may have lost count as unknown, because places are committed
 * without waiting for the disk.
 */
export const withoutForgotten = (calls: Limited[], crashes: Crash[]): Limited[] =>
  calls.map((call) => {
    const isForgotten =
      call.outcome === 'admitted' &&
      crashes.some(({ flushed, restarted }) => call.sent < restarted && call.received > flushed)
    return isForgotten ? { ...call, outcome: 'unknown' } : call
  })

type Limits = Pick<Fleet['limited'], 'callsPerKey' | 'callsPerProject'>

/**
 * Where windows were not exact: more admitted than they hold for certain, or one refused that they had room for for
 * certain.
 */
export function findWindowFaults(calls: Limited[], limits: Limits): string[] {
  const keys = [...new Set(calls.map(({ key }) => key))]
  return [
    ...findExcess(calls, limits.callsPerProject).map((fault) => `project: ${fault}`),
    ...keys.flatMap((key) => findExcess(ofKey(calls, key), limits.callsPerKey).map((fault) => `key ${key}: ${fault}`)),
    ...calls
      .filter((call) => hadRoom(call, calls, limits))
      .map((call) => `refused by ${call.outcome} with room: ${JSON.stringify(call)}`),
  ]
}

const ofKey = (calls: Limited[], key: number) => calls.filter((call) => call.key === key)

/**
 * One more than the limit, all of them admitted within less than 60 seconds, whenever between sending and answer that
 * was.
 */
function findExcess(calls: Limited[], limit: number): string[] {
  const admitted = calls.filter(({ outcome }) => outcome === 'admitted').sort((a, b) => a.sent - b.sent)
  return admitted.flatMap(({ sent }, at) => {
    const group = admitted.slice(at, at + limit + 1)
    const span = Math.max(...group.map(({ received }) => received)) - sent
    return group.length > limit && span < WINDOW_MS ? [`${group.length} calls within ${Math.round(span)} ms`] : []
  })
}

/** Whether fewer calls than the limit can have had a place when this one was refused. */
function hadRoom(refused: Limited, calls: Limited[], { callsPerKey, callsPerProject }: Limits): boolean {
  if (refused.outcome !== 'key' && refused.outcome !== 'project') return false
  const [counted, limit] =
    refused.outcome === 'key' ? [ofKey(calls, refused.key), callsPerKey] : [calls, callsPerProject]
  const possible = counted.filter(
    ({ outcome, sent, received }) =>
      (outcome === 'admitted' || outcome === 'unknown') &&
      received > refused.sent - WINDOW_MS - 1 &&
      sent < refused.received,
  )
  return possible.length < limit
}
