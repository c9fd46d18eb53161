import { type Clock, SECOND_MS } from '../../clock.ts'
import { CountedRefusal, TooMany } from '../../errors.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../auth/caller.ts'
import type { AppContext } from '../context.ts'
import { limitsOf } from './plan.ts'

/** Attempts of each kind that are admitted in 60 seconds, for each client address or other subject. */
const RATES = {
  /** Keys entered from one client address. */
  'key from': 10,
  /** Keys entered that begin with the same 12 characters. */
  'key like': 5,
  /** Passwords entered or chosen from one client address. */
  'password from': 10,
  /**
   * Passwords entered for one e-mail address from one client address, so that a flood from elsewhere keeps nobody out.
   */
  'password for': 5,
  /**
   * Passwords entered for one e-mail address in unknown browsers, from all client addresses. An attacker with many
   * addresses guesses no faster, needs at least a dozen of them to lock somebody out, and even then only in unknown
   * browsers.
   */
  'password for any': 60,
  /** Passwords entered in unknown browsers, in total: checking one takes about 30 ms of a core. */
  'password by': 300,
  /** Passwords entered in one known browser. */
  'password in': 5,
  /** Passwords entered in known browsers, in total. */
  'password in known': 300,
  /** Passwords changed, or tried to, by one member. */
  'password change by': 5,
  /** Codes entered by one member, of 50 bits. */
  'code by': 10,
  /** Forms of the console posted by one member. */
  'form by': 60,
  /** Parts of files that one member imports: 64 MiB in two minutes. */
  'part by': 120,
  /**
   * Forms by which a member ends sessions. Separate, so that an attacker with a stolen session who exhausts the others
   * cannot keep its owner from ending it.
   */
  'leaving by': 60,
  /** OAuth applications registered from one client address. */
  'registration from': 20,
  /** Metadata documents of OAuth applications read because one client address named them. */
  'document from': 20,
  /** The total of both: a client address may be forged if a proxy that should set it is missing. */
  'unknown application': 200,
} as const

/**
 * Counts an attempt. `subject` is the client address, or the thing tried, that the rate holds for.
 *
 * @throws TooMany if the rate is used up; then the attempt is not counted.
 */
export async function consumeAttempt(
  { store, clock }: AppContext,
  kind: keyof typeof RATES,
  subject: string,
): Promise<void> {
  const full = await store.windows.take([{ id: `${kind} ${subject}`, limit: RATES[kind] }], clock.ticks())
  if (full !== undefined) throw new TooMany(toSeconds(full.untilFreeMs))
}

/** The waiting time told to a caller, in whole seconds. */
export function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / SECOND_MS))
}

/** What calls are counted with. */
type Counting = { store: Pick<Store, 'windows'>; clock: Pick<Clock, 'ticks'> }

/**
 * Counts a call in the windows of the caller's key and project.
 *
 * @throws Refusal if either is full; then the call is counted in neither.
 */
export async function consumeCall({ store, clock }: Counting, caller: Caller): Promise<void> {
  const { callsPerKey, callsPerProject } = limitsOf(caller.account)
  const key = { id: caller.keyId, limit: callsPerKey }
  const project = { id: caller.projectId, limit: callsPerProject }
  const full = await store.windows.take([key, project], clock.ticks())
  if (full === undefined) return
  const wait = `try again in ${toSeconds(full.untilFreeMs)} s`
  if (full.id === key.id)
    throw new CountedRefusal('rate_limit', `MCP rate limit exceeded (${key.limit} calls in 60 s); ${wait}`)
  throw new CountedRefusal(
    'project_rate_limit',
    `project call limit exceeded (${project.limit} calls in 60 s); ${wait}`,
  )
}
