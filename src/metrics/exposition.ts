import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics } from './metrics.ts'
import { addProcessMetrics } from './process.ts'

/** Histogram buckets of durations, in seconds: from a cached answer to a forwarded call of minutes. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

/** Histogram buckets of the number of acts per transaction, which is at most 128. */
const ACTS = [1, 2, 4, 8, 16, 32, 64, 128]

/** A code of the operating system or of SQLite. Anything else counts as `other`, so that the values are bounded. */
const SYSTEM_CODE = /^[A-Z][A-Z_]{1,31}$/

/** The metrics in the text format of Prometheus. */
export type Exposition = {
  metrics: Metrics
  /** Adds a gauge that is read when metrics are rendered; with `label`, one value for each value of that label. A gauge that cannot be read is omitted. */
  addGauge: (gauge: GaugeDefinition) => void
  render: () => Promise<{ type: string; text: string }>
  /** Each metric as the documentation lists it. */
  describe: () => { name: string; type: string; labels: string[]; help: string }[]
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
    describe: () => registry.getMetricsAsArray().map(toDescription),
    close: stopProcessMetrics,
  }
}

function createMetrics(registry: Registry): Metrics {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const calls = counter('memsvc_calls_total', 'calls of tools', 'tool', 'outcome')
  const callSeconds = histogram('memsvc_call_seconds', 'time of a call of a tool', SECONDS, 'tool')
  const refusals = counter('memsvc_refusals_total', 'calls of tools that were refused', 'kind')
  const requests = counter('memsvc_http_requests_total', 'answered HTTP requests', 'route', 'status')
  const requestSeconds = histogram('memsvc_http_request_seconds', 'time until an answer began', SECONDS, 'route')
  const commitSeconds = histogram('memsvc_commit_seconds', 'time of a transaction, with its write to the disk', SECONDS)
  const commitActs = histogram('memsvc_commit_acts', 'acts that one transaction committed', ACTS)
  const storageErrors = counter('memsvc_storage_errors_total', 'acts that the storage refused', 'code')
  const upstreamCalls = counter('memsvc_upstream_calls_total', 'calls to servers behind integrations', 'outcome')
  const upstreamSeconds = histogram('memsvc_upstream_call_seconds', 'time of a call to a server behind an integration', SECONDS)
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
    storageError: (code) => storageErrors.inc({ code: SYSTEM_CODE.test(code) ? code : 'other' }),
    upstreamCall: (outcome, milliseconds) => {
      upstreamCalls.inc({ outcome })
      upstreamSeconds.observe(milliseconds / 1000)
    },
  }
}

/** Reads the type and labels of a metric, which the library's types do not declare. */
function toDescription(metric: object) {
  const { name, help, type, labelNames = [] } = metric as { name: string; help: string; type?: string; labelNames?: string[] }
  return { name, help, type: type ?? metric.constructor.name.toLowerCase(), labels: labelNames.filter((label) => label !== 'le') }
}
