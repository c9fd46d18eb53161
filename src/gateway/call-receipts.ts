import { toAuditEntry } from '../account/audit/audit.ts'
import type { Caller } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Integration } from '../store/integration.ts'

/** What a gateway call came to. `outcome` is `done`, `error` when the upstream's tool said no, `refused`, or the kind of failure. */
export type CallReceipt = { integration: Integration; caller: Caller; tool: string; outcome: string; milliseconds: number; bytes: number }

/** Calls of one integration that came to one end, since the service started. */
export type Counter = { accountId: string; integration: string; outcome: string; calls: number; milliseconds: number; bytes: number }

export type CallReceipts = {
  /** Never waits and never throws. */
  add: (receipt: CallReceipt) => void
  counters: () => Counter[]
  /** Resolves when all that was added is in the audit log. */
  flush: () => Promise<void>
}

/** Lines wait this long for company, in milliseconds, so that calls do not have a write to the disk each. */
const WRITE_INTERVAL_MS = 1_000
const MAX_WAITING = 10_000
const MAX_NAME_CHARACTERS = 128

export function createCallReceipts({ store, clock, log }: AppContext): CallReceipts {
  const counters = new Map<string, Counter>()
  let waiting: AuditEntry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const entries = waiting
    waiting = []
    if (entries.length === 0) return
    const write = store.control.write(async (tx) => {
      for (const entry of entries) await tx.insertAudit(entry)
    })
    await write.catch((error) => log('receipts not saved', { calls: entries.length, error: String(error) }))
  }

  return {
    add: (receipt) => {
      count(counters, receipt)
      if (waiting.length < MAX_WAITING) waiting.push(toEntry(receipt, clock.now()))
      timer ??= setTimeout(flush, WRITE_INTERVAL_MS)
    },
    counters: () => [...counters.values()].map((counter) => ({ ...counter })),
    flush,
  }
}

function count(counters: Map<string, Counter>, { integration, outcome, milliseconds, bytes }: CallReceipt): void {
  const key = `${integration.id} ${outcome}`
  const { accountId, slug } = integration
  const counter = counters.get(key) ?? { accountId, integration: slug, outcome, calls: 0, milliseconds: 0, bytes: 0 }
  counter.calls += 1
  counter.milliseconds += milliseconds
  counter.bytes += bytes
  counters.set(key, counter)
}

function toEntry({ integration, caller, tool, outcome, milliseconds, bytes }: CallReceipt, at: number): AuditEntry {
  return toAuditEntry(
    at,
    { kind: 'caller', caller },
    {
      act: 'integration.call',
      target: integration.slug,
      outcome: outcome === 'done' || outcome === 'error' ? 'done' : outcome === 'refused' ? 'refused' : 'failed',
      details: { tool: tool.slice(0, MAX_NAME_CHARACTERS), outcome, milliseconds, bytes },
    },
  )
}
