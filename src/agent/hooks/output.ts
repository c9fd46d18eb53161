import type { HookEvent } from '../clients/hooks.ts'
import type { HookInput } from './input.ts'

/** A text for the model, in the form that the client expects from a hook of this event. */
export function toHookOutput(clientId: string, event: HookEvent, { event: hookEventName }: HookInput, text: string): object {
  if (event === 'session-end') return toContinuation(clientId, text)
  if (clientId === 'cursor') return { additional_context: text }
  return { hookSpecificOutput: { hookEventName, additionalContext: text } }
}

/** An output that makes a model that has finished its turn take another one. */
function toContinuation(clientId: string, text: string): object {
  if (clientId === 'cursor') return { followup_message: text }
  if (clientId === 'gemini') return { decision: 'deny', reason: text }
  if (clientId === 'codex') return { decision: 'block', reason: text }
  return { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: text } }
}
