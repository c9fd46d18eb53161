import { createHash } from 'node:crypto'
import { Refusal } from '../../errors.ts'
import type { Credentials, Moved, OnProgress } from '../move.ts'
import { MOVED_TABLES, type MovedTable, type MoveSource, type MoveTarget, type Part, type Row } from './tables.ts'

type Table = { part: Part; table: MovedTable }

/**
 * Moves everything from one place to another, and then compares all rows of both. What an interrupted earlier call
 * moved is not moved again. The source is not changed. Time is linear in the rows, which are read three times.
 *
 * @throws Refusal if the target holds anything else, credentials cannot be decrypted, the source was used meanwhile, or
 *   the two differ in the end.
 */
export async function moveParts(
  source: MoveSource,
  target: MoveTarget,
  credentials: Credentials,
  onProgress: OnProgress,
): Promise<Moved> {
  const tables = (await source.listParts()).flatMap((part) =>
    MOVED_TABLES[part.kind].map((table): Table => ({ part, table })),
  )
  let all = 0
  for (const { part, table } of tables) all += await source.count(part, table)
  const told = (doing: Parameters<OnProgress>[0]) => {
    let rows = 0
    return (more: number) => {
      rows += more
      onProgress(doing, rows, all)
    }
  }
  await requireDecryptable(source, credentials)
  await target.begin(await toFingerprint(source))
  const moved = told('moving')
  for (const one of tables) await moveTable(source, target, one, { credentials, moved })
  const compared = told('comparing')
  const counts = Object.fromEntries(
    Object.values(MOVED_TABLES).flatMap((names) => names.map((name) => [name, 0])),
  ) as Moved
  for (const one of tables) counts[one.table] += await compareTable(source, target, one, { credentials, compared })
  // A supervisor may have restarted a service on the source meanwhile.
  await source.requireUnused()
  await target.finish()
  return counts
}

/**
 * Checked before anything is moved, since a credential that cannot be decrypted would otherwise be noticed only at the
 * end.
 */
async function requireDecryptable(source: MoveSource, { decrypt }: Credentials): Promise<void> {
  for await (const page of source.read(CONTROL, 'integrations')) for (const row of page) decrypt.source(row)
}

const CONTROL: Part = { kind: 'control', projectId: '' }

/** A text that changes with every change of the data outside of projects, most often through uses of keys. */
async function toFingerprint(source: MoveSource): Promise<string> {
  const digests: Digest[] = []
  for (const table of MOVED_TABLES.control) digests.push(await digestRows(source.read(CONTROL, table), (row) => row))
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(digests)).digest('hex')
}

type Moving = { credentials: Credentials; moved: (rows: number) => void }

async function moveTable(
  source: MoveSource,
  target: MoveTarget,
  { part, table }: Table,
  { credentials, moved }: Moving,
): Promise<void> {
  const skip = await target.count(part, table)
  moved(skip)
  for await (const page of source.read(part, table, skip)) {
    if (table === 'integrations') await credentials.prepare()
    await target.write(part, table, table === 'integrations' ? page.map(credentials.reencrypt) : page)
    moved(page.length)
  }
  if (isLast({ part, table })) await target.writeState(part, await source.readState(part))
}

type Comparing = { credentials: Credentials; compared: (rows: number) => void }

/** @returns how many rows there are. */
async function compareTable(
  source: MoveSource,
  target: MoveTarget,
  { part, table }: Table,
  { credentials: { decrypt }, compared }: Comparing,
): Promise<number> {
  const of = (place: 'source' | 'target') => (table === 'integrations' ? decrypt[place] : (row: Row) => row)
  const from = await digestRows(source.read(part, table), of('source'))
  const to = await digestRows(target.read(part, table), of('target'))
  if (from.rows !== to.rows || from.sum !== to.sum)
    throw new Refusal(
      `what was moved is not the same: ${describe(part, table)} has ${from.rows} rows and ${to.rows}; move into a new place`,
    )
  if (isLast({ part, table })) await compareState(source, target, part)
  compared(from.rows)
  return from.rows
}

async function compareState(source: MoveSource, target: MoveTarget, part: Part): Promise<void> {
  const [from, to] = [await source.readState(part), await target.readState(part)]
  const other = Object.keys(from).find((name) => from[name] !== to[name])
  if (other !== undefined)
    throw new Refusal(
      `what was moved is not the same: ${other} of ${describe(part, 'counts')} is ${from[other]} and ${to[other]}; look at it with 'memsvc doctor'`,
    )
}

const isLast = ({ part, table }: Table) => table === MOVED_TABLES[part.kind].at(-1)

const describe = ({ kind, projectId }: Part, table: string) =>
  kind === 'control' ? table : `${table} of project '${projectId}'`

/** Number and digest of rows, independent of their order. */
type Digest = { rows: number; sum: string }

const MODULUS = 1n << 128n

/**
 * The number of rows and the sum, modulo 2^128, of a SHA-256 of each: equal if two places have the same rows. Time is
 * linear in the bytes of the rows.
 */
async function digestRows(pages: AsyncIterable<Row[]>, toCompared: (row: Row) => Row): Promise<Digest> {
  let rows = 0
  let sum = 0n
  for await (const page of pages) {
    rows += page.length
    for (const row of page) sum += toNumber(toCompared(row))
  }
  return { rows, sum: (sum % MODULUS).toString(16) }
}

function toNumber(row: Row): bigint {
  const digest = createHash('sha256')
    .update(JSON.stringify(toOrdered(row)))
    .digest()
  return (digest.readBigUInt64BE(0) << 64n) | digest.readBigUInt64BE(8)
}

/** Converts bytes to text, which JSON lacks, and sorts members, so that equal rows give equal JSON. */
function toOrdered(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes ${value.toHex()}`
  if (Array.isArray(value)) return value.map(toOrdered)
  if (value === null || typeof value !== 'object') return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, toOrdered(part)])
}
