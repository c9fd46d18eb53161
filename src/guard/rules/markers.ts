import type { Steps } from '../../cooperative.ts'
import { matchInSteps } from '../pieces.ts'
import { CONCEPTS } from './concepts.ts'
import type { Hit } from './hits.ts'

const MARKER = CONCEPTS.indexOf('marker')
const LINK = CONCEPTS.indexOf('link')

const forged =
  /<\|[a-z_]{2,20}\|>|\[\/?(?:inst|system|sys|assistant|system message|end system message|system note[^\]]{0,20}|system prompt|admin|override|prompt|info|urgent|important|new instructions?)\]|<<\/?sys>>|<\/?(?:system|assistant|user|human|instructions?|important|secret|admin|system_prompt|prompt|information|hidden|tool_response|system-reminder|im_start|im_end)>|(?<!#)#{2,}\s?(?:system|assistant|user|human|instruction|instructions|new instructions?|response|begin[a-z ]{0,20}|end[a-z ]{0,20})\b\s?[:#]|(?:^|\n)\s{0,8}(?:system|assistant|human|system message|system note|admin|developer) ?:(?= ?[a-z"'\n])|\{\s{0,4}"role"\s{0,4}:\s{0,4}"(?:system|assistant|developer)"|(?:begin|end|start)(?: of)?(?: the)?(?: new| real| secret| system| user| admin| hidden| old| out of date| previous){0,3} (?:instructions?|prompt|system prompt|user data|directives?)|\((?:assistant|ai|agent|system|model)[,:] |<\/?(?:context|document|data|search_results|tool_result|result|user_input|user_query|query)>|(?<!-)-{3,} ?(?:system|end|begin|new)[a-z ]{0,20}-{3}|(?<!=)={3,} ?(?:system|end|begin|new)[a-z ]{0,20}={3}/g

const ADDRESS = /(?:https?|ftp|wss?):\/\/[^\s<>"')\]]{3,200}|[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/g

/** Forged turns in a folded text that still has its line breaks, as hits in their order. */
export function findForgedTurns(text: string): Steps<Hit[]> {
  return collect(text, forged, MARKER)
}

/** Addresses in a folded text, as hits in their order. */
export function findLinks(text: string): Steps<Hit[]> {
  return collect(text, ADDRESS, LINK)
}

function* collect(text: string, pattern: RegExp, concept: number): Steps<Hit[]> {
  const hits: Hit[] = []
  for (const match of matchInSteps(text, pattern)) {
    if (match === undefined) yield
    else hits.push({ concept, start: match.index, end: match.index + match[0].length })
  }
  return hits
}
