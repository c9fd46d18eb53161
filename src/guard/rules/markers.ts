import type { Hit } from '../scan/phrases.ts'
import { START, type Tokens, VALUES_PER_TOKEN } from '../scan/tokens.ts'
import { CONCEPTS } from './concepts.ts'

const MARKER = CONCEPTS.indexOf('marker')

/**
 * Templates of chat formats, headings, labels and tags by which a text imitates a turn of a conversation or a delimiter
 * of a prompt.
 */
const FORGED_TURNS = [
  /<\|[a-z_]{2,20}\|>/,
  /\[\/?(?:inst|system|sys|assistant|system message|end system message|system note[^\]]{0,20}|system prompt|admin|override|prompt|info|urgent|important|new instructions?)\]/,
  /<<\/?sys>>/,
  /<\/?(?:system|assistant|user|human|instructions?|important|secret|admin|system_prompt|prompt|developer[-_]message|function_results|information|hidden|tool_response|reminder|system[-_](?:reminder|note|warning|notice|message)|im_start|im_end)>/,
  /(?<!#)#{2,}\s?(?:system|assistant|user|human|instruction|instructions|new instructions?|response|begin[a-z ]{0,20}|end[a-z ]{0,20})\b\s?[:#]/,
  /(?:^|\n)\s{0,8}(?:system|assistant|human|system message|system note|admin|developer) ?:(?= ?[a-z"'\n])/,
  /\{\s{0,4}"role"\s{0,4}:\s{0,4}"(?:system|assistant|developer)"/,
  /\((?:assistant|ai|agent|system|model)[,:] /,
  /<\/?(?:context|document|data|search_results|tool_result|result|user_input|user_query|query)>/,
  /(?<!-)-{3,} ?(?:system|end|begin|new)[a-z ]{0,20}-{3}/,
  /(?<!=)={3,} ?(?:system|end|begin|new)[a-z ]{0,20}={3}/,
]
/**
 * Words that delimit a prompt: most texts have none of what they end with, and the pattern takes as long as all others.
 */
const DELIMITER =
  /(?:begin|end|start)(?: of)?(?: the)?(?: new| real| secret| system| user| admin| hidden| old| out of date| previous){0,3} (?:instructions?|prompt|system prompt|user data|directives?)/
const DELIMITED = ['instruction', 'prompt', 'user data', 'directive']

const toPattern = (turns: RegExp[]) => new RegExp(turns.map(({ source }) => source).join('|'), 'g')
const FORGED_TURN = toPattern(FORGED_TURNS)
const FORGED_TURN_OR_DELIMITER = toPattern([...FORGED_TURNS, DELIMITER])

/** The forged turns in a lower-case text, in order. Needs the line breaks of the text. */
export function findForgedTurns({ text, values, count }: Tokens): Hit[] {
  const hits: Hit[] = []
  let token = 0
  const pattern = DELIMITED.some((words) => text.includes(words)) ? FORGED_TURN_OR_DELIMITER : FORGED_TURN
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length
    while (token + 1 < count && (values[(token + 1) * VALUES_PER_TOKEN + START] ?? 0) < end) token++
    hits.push({ concept: MARKER, start: match.index, end, token })
  }
  return hits
}
