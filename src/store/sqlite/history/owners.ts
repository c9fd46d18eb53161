import type { HistoryReads, HistoryUsage } from '../../history.ts'
import type { Connection } from '../connection.ts'

/** Adds to the bytes that an owner has stored; a negative number subtracts. Only inside a write. */
export type CountBytes = (ownerId: string, bytes: number) => void

const USAGE = `select (select coalesce(sum(bytes), 0) from owners where ?1 is null or owner_id = ?1) as bytes,
    max(received_at) as receivedAt, count(*) filter (where lines > 0) as sources
  from sources where forgotten_at is null and (?1 is null or owner_id = ?1)`

const NOTHING: HistoryUsage = { bytes: 0, sources: 0, receivedAt: null }

export function createOwnerReads(client: Connection): Pick<HistoryReads, 'readHistoryBytes' | 'readHistoryUsage' | 'listOwners'> {
  const usage = client.statement<HistoryUsage, [ownerId: string | null]>(USAGE)
  const all = client.statement<{ ownerId: string }, []>('select owner_id as ownerId from owners order by owner_id')
  const bytes = client.statement<{ bytes: number }, []>('select coalesce(sum(bytes), 0) as bytes from owners')
  return {
    readHistoryBytes: async () => bytes.get()?.bytes ?? 0,
    readHistoryUsage: async (ownerId = undefined) => usage.get(ownerId ?? null) ?? NOTHING,
    listOwners: async () => all.all().map(({ ownerId }) => ownerId),
  }
}

/** An owner with nothing stored is removed from the list. */
export function createCountBytes(client: Connection): CountBytes {
  const add = client.statement<unknown, [ownerId: string, bytes: number]>(
    'insert into owners (owner_id, bytes) values (?, ?) on conflict do update set bytes = bytes + excluded.bytes',
  )
  const forget = client.statement<unknown, [ownerId: string]>('delete from owners where owner_id = ? and bytes = 0')
  return (ownerId, bytes) => {
    add.run(ownerId, bytes)
    if (bytes < 0) forget.run(ownerId)
  }
}
