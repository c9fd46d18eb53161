import { toAuditEntry } from '../account/audit/audit.ts'
import type { Caller } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Integration } from '../store/integration.ts'

/**
 * What is recorded about one gateway call. `outcome` is `done`, `error` if the upstream's tool failed, `refused`, or
 * the kind of failure.
 */
type CallReceipt = {
  integration: Integration
  caller: Caller
  tool: string
  outcome: string
  milliseconds: number
  bytes: number
}

/** Receipts that are being written to the audit log. */
export type CallReceipts = {
  /** Never throws. With 10 000 unwritten receipts, further ones are dropped. */
  add: (receipt: CallReceipt) => void
  /** Resolves when every receipt added so far is in the audit log. */
  flush: () => Promise<void>
}

/** Receipts are written in batches at this interval, so that a call does not need a disk write of its own. */
const WRITE_INTERVAL_MS = 1_000
const MAX_UNWRITTEN = 10_000
/** Receipts written in one transaction, which takes some milliseconds. */
const BATCH_RECEIPTS = 100
const MAX_NAME_CHARACTERS = 128

export function createCallReceipts({ store, clock, log }: AppContext): CallReceipts {
  const unwritten: AuditEntry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = Promise.resolve()

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll)
    return writing
  }

  async function writeAll(): Promise<void> {
    while (unwritten.length > 0) {
      const entries = unwritten.splice(0, BATCH_RECEIPTS)
      const write = store.control.write(async (tx) => {
        for (const entry of entries) await tx.insertAudit(entry)
      })
      await write.catch((error) => log('receipts not saved', { calls: entries.length, error: String(error) }))
    }
  }

  return {
    add: (receipt) => {
      if (unwritten.length < MAX_UNWRITTEN) unwritten.push(toEntry(receipt, clock.now()))
      timer ??= setTimeout(flush, WRITE_INTERVAL_MS)
    },
    flush,
  }
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
