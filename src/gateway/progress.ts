import type { Params } from '../jsonrpc.ts'
import { toLine } from './line.ts'

/** How far a call has come, in a unit of its upstream's choice, and a line about it. */
export type Progress = { progress: number; total?: number; message?: string }

export type OnProgress = (progress: Progress) => void

/** How a call in progress is cancelled, and who receives its progress. */
export type CallWatch = { signal: AbortSignal; onProgress?: OnProgress | undefined }

/** Maximum duration of a call that reports progress. */
export const MAX_CALL_MS = 60 * 60_000

const MAX_MESSAGE_CHARACTERS = 200

/**
 * Reads an upstream's report of progress; undefined if it is none. The message becomes one line of at most 200
 * characters.
 */
export function readProgress({ progress, total, message }: Params): Progress | undefined {
  if (typeof progress !== 'number' || !(Math.abs(progress) <= Number.MAX_SAFE_INTEGER)) return undefined
  const line = typeof message === 'string' ? toLine(message, MAX_MESSAGE_CHARACTERS) : ''
  return {
    progress,
    ...(Number.isFinite(total) && { total: Number(total) }),
    ...(line !== '' && { message: line }),
  }
}
