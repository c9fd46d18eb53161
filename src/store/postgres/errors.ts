import { SQL } from 'bun'
import { DrizzleQueryError } from 'drizzle-orm'
import { DataError, Refusal, StorageDown, StorageRefusal } from '../../errors.ts'
import { toShownUrl } from './address.ts'

/** The SQLSTATE of an error of the database; undefined of any other error. */
export function toState(error: unknown): string | undefined {
  const cause = findCause(error)
  return cause instanceof SQL.PostgresError ? String(cause.errno ?? '') || undefined : undefined
}

const toText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Drizzle wraps what the client throws. */
function findCause(error: unknown): unknown {
  return error instanceof Error && !(error instanceof SQL.SQLError) && error.cause !== undefined
    ? findCause(error.cause)
    : error
}

/**
 * Classes of states: connection failures, insufficient resources to connect, and the ends of a connection that an
 * operator, a restart or a time-out causes.
 */
const LOST = /^(08|53300|57P0[1-5]|25P0[34])/
const LOST_CODES = /^(ECONN|EPIPE|ENOENT|ENOTFOUND|ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME))/

/**
 * A connection could not be made, for whatever reason: the server is gone, takes no more, or does not accept who asks.
 */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super(toText(cause), { cause })
  }
}

/** Whether the connection was lost or could not be made, so that a retry on another one may succeed. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof NotConnected) return true
  const state = toState(error)
  if (state !== undefined && LOST.test(state)) return true
  return LOST_CODES.test((findCause(error) as { code?: string } | undefined)?.code ?? '')
}

/** Serialization failure, deadlock: the same transaction may succeed when it is run again. */
export const isRetryable = (error: unknown) => /^(40001|40P01)$/.test(toState(error) ?? '')

/** Whether others held for too long what a statement was to lock. */
export const isLockTimeout = (error: unknown) => toState(error) === '55P03'

/** Whether the database takes no writes, as a standby does. */
export const isStandby = (error: unknown) => toState(error) === '25006'

/** States that say that a table, a column, an index or a function has a name of ours, and is not ours. */
const TAKEN = /^(42P07|42703|42710|42723|42809)$/

/** The state of a statement for which the role has no right. */
const NO_RIGHT = '42501'

/** A certificate that cannot be verified, or a file that the URL names for it and that cannot be read. */
const isOfCertificate = (error: unknown): error is Error =>
  error instanceof Error &&
  (/CERT|ISSUER|LEAF_SIGNATURE|ALTNAME/.test((error as { code?: string }).code ?? '') ||
    /^Unable to access \w+File path$/.test(error.message))

/**
 * Converts a database error for the operator who opens or moves the database of `url`, without the text of the
 * statement, which may contain people's data. Returns any other error unchanged.
 */
export function toOperatorError(error: unknown, url: string): unknown {
  const cause = findCause(error)
  if (isOfCertificate(cause)) return new DataError(`the database cannot be used: ${cause.message}`)
  if (!(cause instanceof SQL.SQLError)) return error
  const state = toState(error) ?? ''
  if (state === '' && isConnectionLost(error))
    return new DataError(`the database ${toShownUrl(url)} cannot be reached: ${cause.message}`)
  if (TAKEN.test(state))
    return new DataError(`the database holds tables of something else (${cause.message}); give memsvc one of its own`)
  const hint =
    state === NO_RIGHT
      ? "; the role has to be its owner (alter database … owner to …), or the owner runs 'memsvc database migrate'"
      : ''
  return new DataError(`the database cannot be used: ${cause.message}${hint}`)
}

const UNREACHABLE = 'the database cannot be reached'
export const STANDBY = 'the database is a standby, or read-only, and takes no writes'
export const LATE = 'the database did not answer in time'

const UNUSABLE = 'the database cannot be used at present'

/**
 * Why the database cannot do at present what it was asked, and the state for metrics; undefined of errors that are not
 * of the database.
 */
function findTrouble(error: unknown): [reason: string, state: string, detail: string] | undefined {
  const state = toState(error)
  const cause = findCause(error)
  const detail = toText(cause)
  if (state === '53100') return ['the disk is full', state, detail]
  if (state === '53200') return ['the database has no memory', state, detail]
  if (state === '57014') return [LATE, state, detail]
  if (isStandby(error)) return [STANDBY, '25006', detail]
  if (isConnectionLost(error)) return [UNREACHABLE, state ?? 'connection', detail]
  return cause instanceof SQL.SQLError ? [UNUSABLE, state ?? 'unknown', describeStatement(error)] : undefined
}

/**
 * What the log says of an error that is not foreseen: the statement and its SQLSTATE. Parameters, and the database's
 * message, which may repeat them, hold people's data.
 */
function describeStatement(error: unknown): string {
  const statement = error instanceof DrizzleQueryError ? `: ${error.query}` : ''
  return `a statement failed (SQLSTATE ${toState(error) ?? 'unknown'})${statement}`
}

/** Any other error as it is, but for a query's parameters. */
const withoutParameters = (error: unknown): unknown =>
  error instanceof DrizzleQueryError ? new Error(`${describeStatement(error)}: ${toText(findCause(error))}`) : error

/**
 * Converts an error of the database for a reading caller, whose call may write too, as windows are; returns any other
 * error unchanged.
 */
export function toReadError(error: unknown): unknown {
  const trouble = findTrouble(error)
  return trouble === undefined ? withoutParameters(error) : new StorageDown(...trouble)
}

/** Converts an error of the database for a writing caller; returns any other error unchanged. */
export function toWriteError(error: unknown): unknown {
  if (isLockTimeout(error)) return new Refusal('the data is held by another process; try again')
  const trouble = findTrouble(error)
  if (trouble === undefined) return withoutParameters(error)
  return trouble[0] === UNUSABLE ? new StorageDown(...trouble) : new StorageRefusal(...trouble)
}
