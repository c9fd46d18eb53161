import { createPasswordHasher } from './account/auth/password.ts'
import type { AppContext } from './account/context.ts'
import { createUses } from './account/keys/uses.ts'
import { createSlots, type Slots } from './account/limits/concurrency.ts'
import { createDayCounts } from './account/limits/day-counts.ts'
import { createEventThrottle } from './account/limits/event-throttle.ts'
import { createTraffic, createUploadTraffic, type Traffic, type UploadTraffic } from './account/limits/traffic.ts'
import { writeUses } from './account/upkeep.ts'
import { createCallErrors } from './account/usage/call-errors.ts'
import { createCallUses } from './account/usage/call-uses.ts'
import type { Clock, Random } from './clock.ts'
import type { Config } from './config.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import { createUpstreamWorker, type UpstreamWorker } from './gateway/upstream-worker.ts'
import { createStorageLog, type Log } from './log.ts'
import { type BackupRuns, createBackupRuns } from './maintenance/back-up-in-folder.ts'
import { createImportRuns, type ImportRuns } from './memory/imports/import-runs.ts'
import type { OverviewCounts } from './memory/overview/counts.ts'
import { createKeptCounts } from './memory/overview/kept-counts.ts'
import type { AuthorCounts } from './memory/overview/read-lines.ts'
import { createWaitingQuestions, type WaitingQuestions } from './memory/questions/waiting-questions.ts'
import type { StaleCounts } from './memory/records/lists/count-records.ts'
import { createReviewCounts, type ReviewCounts } from './memory/records/lists/review-count.ts'
import { IN_MEMORY } from './memory/search/index/in-memory-index.ts'
import { createSearchCaches, type SearchContext } from './memory/search/search.ts'
import { createSortedSources, type SortedSources } from './memory/sources/list-sources.ts'
import type { Exposition } from './metrics/exposition.ts'
import { type Metrics, NO_METRICS } from './metrics/metrics.ts'
import { createDocumentReach, type DocumentReach } from './oauth/document.ts'
import { createOutbound } from './outbound/outbound.ts'
import { openStore } from './store/open-store.ts'
import type { StoreEvents } from './store/store.ts'
import type { Tracing } from './tracing/tracing.ts'

/** An opened service: the context of every operation, what the adapters need in addition, and how to close it. */
export type Service = SearchContext &
  Slots & {
    documentReach: DocumentReach
    reviewCounts: ReviewCounts
    overviewCounts: OverviewCounts
    authorCounts: AuthorCounts
    staleCounts: StaleCounts
    sortedSources: SortedSources
    questions: WaitingQuestions
    /** The imports that people make in the console. */
    imports: ImportRuns
    version: string
    gateway: Gateway
    /** The worker thread that calls other servers. */
    upstreams: UpstreamWorker
    /** The entry file of the threads that make backups and check the data. */
    maintenanceWorker: URL
    /** Backups of the running service, by schedule and from the console. */
    backupRuns: BackupRuns
    /** Metrics; undefined if the operator wants none. */
    exposition: Exposition | undefined
    /** Destination of request spans; undefined if the operator wants none. */
    tracing: Tracing | undefined
    traffic: Traffic
    /** Traffic limits for uploads of session histories. */
    uploadTraffic: UploadTraffic
    /** Makes the service refuse new requests, while those in progress are answered. */
    beginStop: () => void
    isStopping: () => boolean
    /** Whether the service is being closed: a call that is still at work was cut off, and cannot be answered. */
    isClosed: () => boolean
    /** Ends sessions with other servers, writes what is buffered in memory, and closes the store. */
    close: () => Promise<void>
  }

/**
 * What a service is opened with. One that is not `isServing` is neither measured nor traced, and its writes may take
 * longer.
 */
type Given = { config: Config; clock: Clock; random: Random; log: Log; version: string; isServing?: boolean }

/**
 * Opens the store and everything that lives as long as the service. Throws a DataError that says what is wrong with the
 * data folder.
 */
export async function openService(given: Given): Promise<Service> {
  // Relative to this file in the executable too, where each worker is an entry point of its own.
  const upstreams = createUpstreamWorker(
    new URL('./gateway/worker/main.ts', import.meta.url),
    given.config.outboundAllow,
    given.log,
  )
  const observers = await openObservers(given)
  const ctx = await openContext(given, observers.exposition?.metrics ?? NO_METRICS)
  const opened = {
    ...observers,
    upstreams,
    gateway: createGateway({ ...ctx, upstreams }),
    backupRuns: createBackupRuns(),
    imports: createImportRuns(given.config.dataDir),
  }
  return {
    ...ctx,
    ...opened,
    traffic: createTraffic(given.clock),
    uploadTraffic: createUploadTraffic(given.clock),
    ...createSlots(),
    ...createStop(() => closeService(ctx, opened)),
    maintenanceWorker: new URL('./maintenance/worker/main.ts', import.meta.url),
    searchCaches: createSearchCaches(IN_MEMORY[given.config.databaseUrl === undefined ? 'files' : 'database']),
    reviewCounts: createReviewCounts(),
    overviewCounts: createKeptCounts(),
    authorCounts: createKeptCounts(),
    staleCounts: createKeptCounts(),
    sortedSources: createSortedSources(),
    questions: createWaitingQuestions(),
    documentReach: createDocumentReach(),
  }
}

async function openContext(given: Given, metrics: Metrics): Promise<AppContext & { version: string }> {
  const publicOutbound = createOutbound([])
  const store = await openStore(given.config, given.clock, {
    events: toStoreEvents(given, metrics),
    isServing: given.isServing,
    checkpointWorker: new URL('./store/sqlite/checkpoints/main.ts', import.meta.url),
  })
  return {
    ...given,
    metrics,
    publicOutbound,
    store,
    passwords: createPasswordHasher(),
    keyUses: createUses(),
    connectionUses: createUses(),
    callUses: createCallUses(),
    callErrors: createCallErrors(),
    failedSignIns: createEventThrottle(),
    newClients: createDayCounts(),
    uploaded: new Map(),
  }
}

function createStop(close: () => Promise<void>): Pick<Service, 'beginStop' | 'isStopping' | 'isClosed' | 'close'> {
  let isStopping = false
  let isClosed = false
  return {
    beginStop: () => {
      isStopping = true
    },
    isStopping: () => isStopping,
    isClosed: () => isClosed,
    close: () => {
      isClosed = true
      return close()
    },
  }
}

type Opened = Pick<Service, 'upstreams' | 'gateway' | 'backupRuns' | 'imports' | 'exposition' | 'tracing'>

async function closeService(
  ctx: AppContext,
  { upstreams, gateway, backupRuns, imports, exposition, tracing }: Opened,
): Promise<void> {
  await backupRuns.stop()
  await imports.stop()
  await upstreams.close()
  await gateway.close()
  ctx.publicOutbound.close()
  await writeUses(ctx).catch((error) => ctx.log('uses were not written', { error: String(error) }))
  await ctx.store.close()
  exposition?.close()
  await tracing?.close()
}

/** Libraries for what the operator does not want are not even loaded. */
async function openObservers({ config, log, version, isServing = false }: Given) {
  const { metricsAddress, metricsToken, tracesEndpoint } = config
  const isMeasured = isServing && (metricsAddress !== undefined || metricsToken !== undefined)
  const isTraced = isServing && tracesEndpoint !== undefined
  const onFailure = (error: string) => log('spans were not sent', { error })
  return {
    exposition: isMeasured ? (await import('./metrics/exposition.ts')).createExposition() : undefined,
    tracing: isTraced
      ? (await import('./tracing/otlp.ts')).createTracing(tracesEndpoint, version, onFailure)
      : undefined,
  }
}

function toStoreEvents({ log, isServing = false }: Given, metrics: Metrics): StoreEvents {
  const logRefusal = createStorageLog(log)
  return {
    // A command says itself what was refused or is damaged.
    refused: (refusal) => {
      if (isServing) logRefusal(refusal)
      metrics.storageError(refusal.systemError)
    },
    committed: metrics.commit,
    damaged: ({ projectId, fault, remedy }) =>
      isServing && log('a project is damaged', { project: projectId, fault, todo: remedy }),
  }
}
