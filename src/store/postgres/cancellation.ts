import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../../errors.ts'
import type { Connection } from './connection.ts'
import type { Run } from './run.ts'

const CANCELLED = 'the call was cancelled'

const signals = new AsyncLocalStorage<AbortSignal>()

/** Runs an act whose cancellable reads are ended, here and in the database, once the signal is aborted. */
export const untilAborted = <T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> => signals.run(signal, act)

/**
 * Reads that end with the act that they are for. Not for a read whose result others wait for, too. @throws Refusal once
 * the signal of that act is aborted.
 */
export function cancellable(run: Run): Run {
  return (act) => {
    const signal = signals.getStore()
    return signal === undefined
      ? run(act)
      : run((connection) => cancelOnAbort(signal, connection, () => act(connection)))
  }
}

async function cancelOnAbort<T>(signal: AbortSignal, { cancel }: Connection, act: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw new Refusal(CANCELLED)
  signal.addEventListener('abort', cancel)
  try {
    return await act()
  } catch (error) {
    throw signal.aborted ? new Refusal(CANCELLED) : error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
