import type { Config } from '../config.ts'
import { localCommand } from './command.ts'
import { findLocalUrl, loadConfig } from './settings.ts'

/** Time limit for the service's answer. */
const TIMEOUT_MS = 4_000

/** The answer of `/readyz`; `damaged` has the ids of projects. */
type Answer = { status: string; damaged?: string[] }

/** What the configured service says of itself at `/readyz`; `answer` is null if nothing usable answers in time. */
type Readiness = { url: string; ready: boolean; answer: Answer | null }

/** Asks the service of this configuration, on this machine, whether it is ready. */
export async function askReadiness(config: Config): Promise<Readiness> {
  const url = findLocalUrl(config)
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS), proxy: false })
    const answer = toAnswer(await response.json().catch(() => undefined))
    return { url, ready: response.ok, answer: answer ?? { status: `HTTP status ${response.status}` } }
  } catch {
    return { url, ready: false, answer: null }
  }
}

function toAnswer(body: unknown): Answer | undefined {
  const { status, damaged } = Object(body)
  if (typeof status !== 'string') return undefined
  return {
    ...Object(body),
    status,
    ...(damaged !== undefined && { damaged: Array.isArray(damaged) ? damaged.map(String) : [] }),
  }
}

/** Why it is not ready, for a person. */
export function toReason({ url, answer }: Readiness): string {
  return answer === null ? `nothing answers at ${url}` : `the service at ${url} is not ready: ${answer.status}`
}

/** Exit status 0 if the configured service answers and is ready; for containers and supervisors. */
export const healthCommand = localCommand('health', 'ask the running service whether it is ready', {
  act: async (cli) => askReadiness(await loadConfig(cli)),
  toText: ({ ready, answer }) => {
    const damaged = answer?.damaged ?? []
    if (!ready) return ''
    return damaged.length === 0 ? 'ready' : `ready, but damaged: ${damaged.join(', ')}; 'memsvc doctor' tells more`
  },
  toJson: ({ url, ready, answer }) => ({ url, ready, ...(answer ?? { status: null }) }),
  refusal: (readiness) => (readiness.ready ? undefined : toReason(readiness)),
})
