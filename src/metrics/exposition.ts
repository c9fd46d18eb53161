import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { BackupOutcome, CallOutcome, Metrics } from './metrics.ts'
import { addProcessMetrics } from './process.ts'

/** Histogram buckets of durations, in seconds: from a cached answer to a forwarded call of minutes. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

/** Histogram buckets of the number of acts per transaction, which is at most 128. */
const ACTS = [1, 2, 4, 8, 16, 32, 64, 128]

/**
 * The values that labels of counters have. Each is counted from 0, so that its first event is an increase: Prometheus
 * sees none in a series that is new.
 */
const TOOLS = ['remember', 'search', 'forget', 'validate_memory', 'gateway_call', 'integration', 'unknown']
const CALL_OUTCOMES: CallOutcome[] = ['ok', 'refused', 'notice', 'unauthorized', 'failed']
const LIMITS = ['rate_limit', 'project_rate_limit', 'concurrency', 'memory_limit', 'subscription']
export const REFUSALS = [
  'arguments',
  ...LIMITS,
  'guard',
  'credential',
  'integration',
  'storage',
  'unknown_tool',
  'not_found',
  'cancelled',
  'other',
]
const ROUTES = ['mcp', 'console', 'oauth', 'health', 'v1', 'other']
const STATUSES = ['200', '400', '401', '403', '404', '429', '500', '503']
/** Codes of the operating system. Any other, of SQLite or of a database, counts as `other`. */
const STORAGE_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'other']
const NETWORK_FAILURES = [
  'address',
  'redirect',
  'unreachable',
  'certificate',
  'broken',
  'timeout',
  'size',
  'busy',
  'cancelled',
]
export const UPSTREAM_OUTCOMES = [
  'done',
  'error',
  'refused',
  ...NETWORK_FAILURES,
  'credentials',
  'status',
  'protocol',
  'secret',
]
const BACKUP_OUTCOMES: BackupOutcome[] = ['done', 'incomplete', 'failed']

/** The metrics in the text format of Prometheus. */
export type Exposition = {
  metrics: Metrics
  /**
   * Adds a gauge that is read when metrics are rendered; with `label`, one value for each value of that label. A gauge
   * that cannot be read is omitted.
   */
  addGauge: (gauge: GaugeDefinition) => void
  render: () => Promise<{ type: string; text: string }>
  close: () => void
}

export type GaugeDefinition = { name: string; help: string; label?: string; read: () => Promise<Values> | Values }

type Values = number | undefined | Record<string, number>

export function createExposition(): Exposition {
  const registry = new Registry()
  const registers = [registry]
  const stopProcessMetrics = addProcessMetrics(registry)
  return {
    metrics: createMetrics(registry),
    addGauge: ({ name, help, label, read }) => {
      new Gauge({
        name,
        help,
        registers,
        labelNames: label === undefined ? [] : [label],
        async collect() {
          const values = await Promise.resolve()
            .then(read)
            .catch(() => undefined)
          this.reset()
          if (typeof values === 'number') this.set(values)
          // Removes the initial 0 of the library.
          else if (label === undefined) this.remove()
          else for (const [key, value] of Object.entries(values ?? {})) this.set({ [label]: key }, value)
        },
      })
    },
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    close: stopProcessMetrics,
  }
}

function createMetrics(registry: Registry): Metrics {
  const registers = [registry]
  /** A counter whose series are all there from the start. */
  const counter = <Label extends string>(name: string, help: string, values: Record<Label, string[]>) => {
    const labels = Object.entries<string[]>(values)
    const made = new Counter({ name, help, labelNames: labels.map(([label]) => label), registers })
    const series = labels.reduce<Record<string, string>[]>(
      (all, [label, ofLabel]) => all.flatMap((one) => ofLabel.map((value) => ({ ...one, [label]: value }))),
      [{}],
    )
    for (const one of series) made.inc(one, 0)
    return made
  }
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const calls = counter('memsvc_calls_total', 'calls of tools', { tool: TOOLS, outcome: CALL_OUTCOMES })
  const callSeconds = histogram('memsvc_call_seconds', 'time of a call of a tool', SECONDS, 'tool')
  const refusals = counter('memsvc_refusals_total', 'calls of tools that were refused', { kind: REFUSALS })
  const requests = counter('memsvc_http_requests_total', 'answered HTTP requests', { route: ROUTES, status: STATUSES })
  const requestSeconds = histogram('memsvc_http_request_seconds', 'time until an answer began', SECONDS, 'route')
  const commitSeconds = histogram(
    'memsvc_commit_seconds',
    'time of a transaction, including its write to the disk',
    SECONDS,
  )
  const commitActs = histogram('memsvc_commit_acts', 'changes that one transaction committed', ACTS)
  const storageErrors = counter('memsvc_storage_errors_total', 'reads and writes that the storage refused', {
    code: STORAGE_CODES,
  })
  const upstreamCalls = counter('memsvc_upstream_calls_total', 'calls to servers behind integrations', {
    outcome: UPSTREAM_OUTCOMES,
  })
  const upstreamSeconds = histogram(
    'memsvc_upstream_call_seconds',
    'time of a call to a server behind an integration',
    SECONDS,
  )
  const backups = counter('memsvc_backups_total', 'backups that were attempted, by schedule or from the console', {
    outcome: BACKUP_OUTCOMES,
  })
  return {
    call: (tool, outcome, milliseconds) => {
      calls.inc({ tool, outcome })
      callSeconds.observe({ tool }, milliseconds / 1000)
    },
    refusal: (kind) => refusals.inc({ kind }),
    request: (route, status, milliseconds) => {
      requests.inc({ route, status })
      requestSeconds.observe({ route }, milliseconds / 1000)
    },
    commit: (acts, milliseconds) => {
      commitSeconds.observe(milliseconds / 1000)
      commitActs.observe(acts)
    },
    storageError: (code) => storageErrors.inc({ code: STORAGE_CODES.includes(code) ? code : 'other' }),
    upstreamCall: (outcome, milliseconds) => {
      upstreamCalls.inc({ outcome })
      upstreamSeconds.observe(milliseconds / 1000)
    },
    backup: (outcome) => backups.inc({ outcome }),
  }
}
