import type { Steps } from '../../cooperative.ts'
import { matchInSteps } from '../pieces.ts'
import { CONCEPTS } from './concepts.ts'
import type { Hit } from './hits.ts'

const MARKER = CONCEPTS.indexOf('marker')
const LINK = CONCEPTS.indexOf('link')

/** Templates of chat formats, headings, labels and tags by which a text imitates a turn of a conversation or a delimiter of a prompt. */
const FORGED_TURNS = [
  /<\|[a-z_]{2,20}\|>/,
  /\[\/?(?:inst|system|sys|assistant|system message|end system message|system note[^\]]{0,20}|system prompt|admin|override|prompt|info|urgent|important|new instructions?)\]/,
  /<<\/?sys>>/,
  /<\/?(?:system|assistant|user|human|instructions?|important|secret|admin|system_prompt|prompt|information|hidden|tool_response|system-reminder|im_start|im_end)>/,
  /(?<!#)#{2,}\s?(?:system|assistant|user|human|instruction|instructions|new instructions?|response|begin[a-z ]{0,20}|end[a-z ]{0,20})\b\s?[:#]/,
  /(?:^|\n)\s{0,8}(?:system|assistant|human|system message|system note|admin|developer) ?:(?= ?[a-z"'\n])/,
  /\{\s{0,4}"role"\s{0,4}:\s{0,4}"(?:system|assistant|developer)"/,
  /(?:begin|end|start)(?: of)?(?: the)?(?: new| real| secret| system| user| admin| hidden| old| out of date| previous){0,3} (?:instructions?|prompt|system prompt|user data|directives?)/,
  /\((?:assistant|ai|agent|system|model)[,:] /,
  /<\/?(?:context|document|data|search_results|tool_result|result|user_input|user_query|query)>/,
  /(?<!-)-{3,} ?(?:system|end|begin|new)[a-z ]{0,20}-{3}/,
  /(?<!=)={3,} ?(?:system|end|begin|new)[a-z ]{0,20}={3}/,
]
const FORGED_TURN = new RegExp(FORGED_TURNS.map(({ source }) => source).join('|'), 'g')

/** A URL or an e-mail address. */
const ADDRESS = /(?:https?|ftp|wss?):\/\/[^\s<>"')\]]{3,200}|[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/g

/** The forged turns in a canonical text, in order. Needs the line breaks of the text. */
export function findForgedTurns(text: string): Steps<Hit[]> {
  return findPattern(text, FORGED_TURN, MARKER)
}

/** The URLs and e-mail addresses in a canonical text, in order. */
export function findLinks(text: string): Steps<Hit[]> {
  return findPattern(text, ADDRESS, LINK)
}

function* findPattern(text: string, pattern: RegExp, concept: number): Steps<Hit[]> {
  const hits: Hit[] = []
  for (const match of matchInSteps(text, pattern)) {
    if (match === undefined) yield
    else hits.push({ concept, start: match.index, end: match.index + match[0].length })
  }
  return hits
}
