/**
 * Error classes that several folders throw; one that a single folder throws is there. `name` identifies the class and,
 * where a class has several causes, `code` the cause: a JSON-RPC code or an OAuth code. Any other error is a bug, which
 * the caller sees as an internal error.
 */

/** The kind of credential that a refused request carried; the 401 tells the client accordingly. */
type Credential = 'none' | 'key' | 'token'

/** The request has no valid credential. HTTP 401. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized'
  constructor(readonly sent: Credential) {
    super('Unauthorized')
  }
}

/**
 * The request breaks the protocol. Answered with a JSON-RPC `error` of this code, in a response of this HTTP status.
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  constructor(
    readonly code: number,
    message: string,
    readonly status: number = 200,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/**
 * An operation is refused for a reason that its caller may read. Becomes a tool result with `isError: true`, HTTP 400,
 * or exit status 1 of a command. `field` is the form field at fault, if any; the console shows the reason beside it.
 * `advice` says why or what to do, where the message is the contract's and stays as it is: a second block of a tool's
 * error.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    message: string,
    readonly field?: string,
    readonly advice?: string,
  ) {
    super(message)
  }
}

/** Kinds of refusals that metrics count separately. */
type RefusalKind =
  | 'arguments'
  | 'rate_limit'
  | 'project_rate_limit'
  | 'concurrency'
  | 'memory_limit'
  | 'guard'
  | 'credential'
  | 'integration'
  | 'not_found'
  | 'cancelled'

/** A refusal that metrics count by its kind. */
export class CountedRefusal extends Refusal {
  constructor(
    readonly kind: RefusalKind,
    message: string,
    field?: string,
    advice?: string,
  ) {
    super(message, field, advice)
  }
}

/**
 * The storage rejects writes at present, such as when the disk is full. Reads work, and later writes may succeed. For
 * the operator, `systemError` is the system's error code (`ENOSPC`; there are few), and `detail` what the system says
 * of it.
 */
export class StorageRefusal extends Refusal {
  constructor(
    readonly reason: string,
    readonly systemError: string,
    readonly detail = systemError,
  ) {
    super(`${reason}; nothing was saved`)
  }
}

/** Whether something was refused for another reason than the state of the storage, so that asking again is no use. */
export const isFinalRefusal = (error: unknown): error is Refusal =>
  error instanceof Refusal && !(error instanceof StorageRefusal)

/** The storage does not answer at present; the request may be repeated. HTTP 503. */
export class StorageDown extends StorageRefusal {
  override readonly message = `${this.reason}; try again`
}

/**
 * A file of the data folder cannot be used. The message names the file and is for the operator only; callers see an
 * internal error.
 */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** A file of the data folder is damaged, missing, or of another project. */
export class DamagedFile extends DataError {}

/**
 * A file of a project is damaged, missing, or of another project: what the call needs of it cannot be read or written
 * until the operator has restored it. Other projects are not affected. `fault` is for the operator, and names the file.
 */
export class DamagedProject extends StorageRefusal {
  override readonly message = 'the data of this project is damaged; its operator has to restore it'
  constructor(
    readonly projectId: string,
    readonly file: string,
    readonly fault: string,
  ) {
    super('the data of a project is damaged', 'damaged', fault)
  }

  /** What the operator does about it. */
  get remedy(): string {
    return `memsvc restore BACKUP --project ${this.projectId} --in-place`
  }
}

/**
 * The state of the account's subscription forbids the call. A tool result with `isError: true` whose text begins with
 * `[Service Notice]: `.
 */
export class Notice extends Error {
  override readonly name = 'Notice'
  constructor(text: string) {
    super(`[Service Notice]: ${text}`)
  }
}

/** Why the local agent, or a command like it, got no usable answer from the service. */
export type ServiceErrorCode =
  | 'endpoint_invalid'
  | 'key_missing'
  | 'key_malformed'
  | 'key_rejected'
  | 'unreachable'
  | 'certificate'
  | 'broken'
  | 'timeout'
  | 'cancelled'
  | 'busy'
  | 'unexpected'
  | 'refused'

/**
 * The local agent, or a command like it, got no usable answer from the service. The message is for the person at the
 * machine, and contains no key.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  constructor(
    readonly code: ServiceErrorCode,
    message: string,
    /** HTTP status of the answer, if there was one. */
    readonly status?: number,
    /** `Retry-After` of the answer, if it had one. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message)
  }
}

/** A rate or memory limit is exceeded. HTTP 429 with `Retry-After: <seconds>`. */
export class TooMany extends Error {
  override readonly name = 'TooMany'
  constructor(
    readonly seconds: number,
    what = 'too many attempts',
  ) {
    super(`${what}; try again in ${seconds} s`)
  }
}

/** A request body is larger than allowed. HTTP 413. */
export class TooLarge extends Refusal {}

/** The message of an error; a thrown value of another kind as text. */
export const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The code of an error of the operating system or of SQLite, or else its name: a message might contain part of a text
 * that was read.
 */
export function toErrorCode(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown error')
}
