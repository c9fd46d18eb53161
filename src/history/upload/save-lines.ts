import { sha256Hex } from '../../secrets/secret.ts'
import { HISTORY_ROW_BYTES } from '../../store/history.ts'
import type { Histories } from '../authorize-history.ts'
import { BLOCK_BYTES, BLOCK_RECORDS, packBlock } from '../blocks.ts'
import type { IncomingLine } from './incoming.ts'
import { requireRoom } from './quota.ts'

type KeyedLine = { key: string; text: Uint8Array }

/**
 * Key of a record, equal for all lines of an owner with the same text, whatever id their assistant gave them: a line that was rewritten under its id is
 * another record, and so is the copy in a fork, which names another session. 16 bytes in hexadecimal.
 */
function toRecordKey(ownerId: string, text: Uint8Array): string {
  return sha256Hex(Buffer.concat([Buffer.from(`${ownerId}\n`), text])).slice(0, 32)
}

/**
 * Adds lines to a segment in writes of a few milliseconds each, and stores the records that do not exist yet. Nobody reads them before the segment is kept.
 *
 * @throws UploadRefusal if the plan has no room.
 */
export function createLineSaver(histories: Histories, segmentId: number) {
  let pending: KeyedLine[] = []
  let pendingBytes = 0
  let saved = 0

  async function flush(): Promise<void> {
    if (pending.length === 0) return
    await savePiece(histories, segmentId, saved, pending)
    saved += pending.length
    pending = []
    pendingBytes = 0
  }

  return {
    add: async ({ text }: IncomingLine): Promise<void> => {
      if (pending.length === BLOCK_RECORDS || pendingBytes + text.length > BLOCK_BYTES) await flush()
      pending.push({ key: toRecordKey(histories.ownerId, text), text })
      pendingBytes += text.length
    },
    flush,
  }
}

/** Compresses before the write, and again if others have stored or erased some of the records meanwhile. */
async function savePiece({ store, account, ownerId }: Histories, segmentId: number, at: number, lines: KeyedLine[]): Promise<void> {
  const distinct = [...new Map(lines.map((line) => [line.key, line])).values()]
  const keys = distinct.map(({ key }) => key)
  for (let isSaved = false; !isSaved; ) {
    const known = new Set(await store.listKnownKeys(keys))
    const fresh = distinct.filter(({ key }) => !known.has(key))
    const packed = fresh.length === 0 ? undefined : await packBlock(ownerId, fresh)
    const bytes = (packed?.block.data.length ?? 0) + fresh.length * HISTORY_ROW_BYTES.record + lines.length * HISTORY_ROW_BYTES.line
    isSaved = await store.write(async (tx) => {
      const knownNow = await tx.listKnownKeys(keys)
      if (knownNow.length !== known.size || knownNow.some((key) => !known.has(key))) return false
      await requireRoom(tx, account, bytes)
      if (packed !== undefined) await tx.insertBlock(packed.block, packed.places)
      await tx.insertLines(
        segmentId,
        at,
        lines.map(({ key }) => key),
      )
      return true
    })
  }
}
