import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { issueKey, revokeKey } from '../../../src/account/keys/key.ts'
import { callTool } from './call.ts'
import type { Fleet } from './fleet.ts'

/** What goes wrong in a round. */
export const TROUBLES = [
  'instance killed',
  'connections ended',
  'network cut',
  'network stalled',
  'database crashed',
  'failover',
  'rolling upgrade',
] as const
export type Trouble = (typeof TROUBLES)[number]

const MAX_STALL_MS = 2_000

const ACTS: Record<Trouble, (fleet: Fleet) => Promise<unknown>> = {
  'instance killed': (fleet) => fleet.replace(Math.floor(Math.random() * fleet.instances.length)),
  'connections ended': ({ server }) => server.terminate(() => Math.random() < 0.5),
  'network cut': async ({ proxy }) => proxy.cut(),
  'network stalled': async ({ proxy }) => {
    proxy.stall()
    await Bun.sleep(Math.random() * MAX_STALL_MS)
    proxy.resume()
  },
  'database crashed': ({ server }) => server.crash(),
  failover: (fleet) => fleet.failOver(),
  'rolling upgrade': (fleet) => fleet.changeVersion(),
}

/** Troubles after which the database may lack what was committed without waiting for the disk. */
export const CRASHES: Trouble[] = ['database crashed', 'failover']

export const cause = (trouble: Trouble, fleet: Fleet) => ACTS[trouble](fleet)

/**
 * Issues a key, uses it at every instance, revokes it, and returns the instances that accepted it afterwards, by their
 * number.
 */
export async function findAccepting(fleet: Fleet): Promise<number[]> {
  const { operator, project, instances } = fleet
  const issued = await issueKey(operator, COMMAND_LINE, { project })
  const callAll = () => Promise.all(instances.map(({ url }) => callTool(url, issued.secret, 'search', { query: 'x' })))
  await callAll()
  await revokeKey(operator, COMMAND_LINE, issued.key)
  const outcomes = await callAll()
  return outcomes.flatMap(({ kind }, at) => (kind === 'answered' ? [at] : []))
}
