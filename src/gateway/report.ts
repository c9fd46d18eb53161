import type { Integration } from '../store/integration.ts'
import type { Inspection } from './inspect.ts'

/** An inspection in JSON. */
export type ShownInspection = ReturnType<typeof toShownInspection>

/** Reasons are shown with a few names each: there may be thousands. */
const MAX_NAMES_SHOWN = 5

export function toShownInspection({ slug, mode }: Integration, inspection: Inspection) {
  const { failure, transport, revision, milliseconds, listed, unlisted, left } = inspection
  const reasons = Map.groupBy(left, ({ why }) => why)
  return {
    slug,
    works: failure === undefined,
    failure: failure === undefined ? null : { kind: failure.kind, text: failure.text },
    transport: transport ?? null,
    revision: revision ?? null,
    milliseconds,
    listed,
    through_gateway_call: mode === 'read-write' ? unlisted : [],
    refused: mode === 'read-only' ? unlisted : [],
    left_out: [...reasons].map(([why, tools]) => ({
      why,
      count: tools.length,
      names: tools.slice(0, MAX_NAMES_SHOWN).map(({ name }) => name),
    })),
  }
}

/** An inspection for a person. */
export function toInspectionText(shown: ShownInspection): string {
  if (shown.failure !== null) return `it does not work (${shown.failure.kind}): ${shown.failure.text}`
  const lines = [
    `it works: MCP ${shown.revision} over ${shown.transport === 'events' ? 'the older SSE transport' : 'Streamable HTTP'}, ${shown.milliseconds} ms`,
    toLine('listed', shown.listed),
    toLine('through gateway_call only', shown.through_gateway_call),
    toLine('refused, since not annotated read-only', shown.refused),
    ...shown.left_out.map(({ why, count, names }) => `left out, since ${why}: ${count} (${names.join(', ')})`),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function toLine(what: string, names: string[]): string {
  return names.length === 0 ? '' : `${what}: ${names.join(', ')}`
}
