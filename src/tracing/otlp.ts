import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Tracing } from './tracing.ts'

const CLOSE_TIMEOUT_MS = 2_000

/**
 * Spans by OTLP over HTTP. At most 2 048 wait to be sent; further ones are dropped. The library reads
 * `OTEL_EXPORTER_OTLP_HEADERS` and its like itself.
 */
export function createTracing(endpoint: string, version: string, onFailure: (error: string) => void): Tracing {
  const exporter = watchFailures(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), onFailure)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'memsvc', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('memsvc')
  return {
    begin: (traceparent) => {
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, toParent(traceparent))
      return {
        end: (name, attributes, isFault) => {
          span.updateName(name).setAttributes(attributes)
          if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), Bun.sleep(CLOSE_TIMEOUT_MS)]),
  }
}

function watchFailures(exporter: SpanExporter, onFailure: (error: string) => void): SpanExporter {
  const send = exporter.export.bind(exporter)
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error !== undefined) onFailure(result.error.message)
      done(result)
    })
  return exporter
}

/** The trace context of a header of version 00; empty if it has none. */
function toParent(traceparent: string | null): Context {
  const [, traceId, spanId, flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
}
