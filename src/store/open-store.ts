import type { Config } from '../config.ts'
import type { CheckedPart, CheckRequest } from './check.ts'
import { checkFolder, type Run } from './sqlite/check/check-folder.ts'
import { hasData as hasSqliteData } from './sqlite/data-folder.ts'
import { takeServeLock as takeSqliteServeLock } from './sqlite/serve-lock.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store, StoreEvents } from './store.ts'

// The only file outside an engine's folder that knows which engine there is.

type Location = Pick<Config, 'dataDir'>

/** Opens the store, making it when there is none. `events` is told of its work. Throws a DataError that says what is wrong with the data. */
export function openStore({ dataDir }: Location, now: () => number, events?: StoreEvents): Promise<Store> {
  return openSqliteStore(dataDir, now, events)
}

/** Whether there is a store to open. */
export async function hasStore({ dataDir }: Location): Promise<boolean> {
  return hasSqliteData(dataDir)
}

/**
 * Keeps a second server off the data until the returned function is called or the process ends, however it ends. Other commands may open the store.
 * Throws a Refusal when another process holds the lock, and a DataError where the lock cannot be taken at all.
 */
export async function takeServeLock({ dataDir }: Location): Promise<() => void> {
  return takeSqliteServeLock(dataDir)
}

/**
 * Looks for damage in every part of the data, one after the other; `run` says how much other work is done between the steps of each. What cannot be read is a fault, and is
 * passed over. Changes nothing, and works beside a service.
 */
export function checkStore({ dataDir }: Location, request: CheckRequest, run: Run): AsyncGenerator<CheckedPart> {
  return checkFolder(dataDir, request, run)
}
