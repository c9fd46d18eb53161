import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'

/** The limits of a plan. Calls are per 60 seconds; sizes are bytes of UTF-8. */
export type Limits = {
  callsPerKey: number
  callsPerProject: number
  /** Records of one project; forgotten ones do not count. */
  records: number
  /** Content of the records of one project. */
  contentBytes: number
  /** Workspaces of one project that are not removed. */
  workspaces: number
  historyBytes: number
}

const MiB = 2 ** 20
const GiB = 2 ** 30
const TiB = 2 ** 40

const FREE: Limits = {
  callsPerKey: 60,
  callsPerProject: 120,
  records: 1_000,
  contentBytes: 4 * MiB,
  workspaces: 20,
  historyBytes: 64 * MiB,
}

export const PLANS: Record<string, Limits> = {
  free: FREE,
  team: {
    callsPerKey: 300,
    callsPerProject: 1_000,
    records: 50_000,
    contentBytes: 256 * MiB,
    workspaces: 200,
    historyBytes: 8 * GiB,
  },
  business: {
    callsPerKey: 1_200,
    callsPerProject: 5_000,
    records: 1_000_000,
    contentBytes: 8 * GiB,
    workspaces: 2_000,
    historyBytes: 128 * GiB,
  },
  'self-hosted': {
    callsPerKey: 60_000,
    callsPerProject: 300_000,
    records: 10_000_000,
    contentBytes: 64 * GiB,
    workspaces: 50_000,
    historyBytes: TiB,
  },
}

/**
 * The limits of an account: its plan's, with the operator's overrides. A plan unknown to this version counts as `free`.
 */
export function limitsOf(account: Readonly<Pick<Account, 'plan' | 'limits'>>): Limits {
  return { ...(PLANS[account.plan] ?? FREE), ...account.limits }
}

/**
 * The name of a plan.
 *
 * @throws Refusal for an unknown one.
 */
export function requirePlan(name: string): string {
  if (!Object.hasOwn(PLANS, name))
    throw new Refusal(`unknown plan '${name}'; known are ${Object.keys(PLANS).join(', ')}`, 'plan')
  return name
}
