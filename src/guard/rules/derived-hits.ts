import type { Hit } from '../scan/phrases.ts'
import { CONCEPTS, type Concept } from './concepts.ts'

const toNumber = (concept: Concept) => CONCEPTS.indexOf(concept)
const NOT = toNumber('not')
const AGENT = toNumber('agent')
const ADDRESS = toNumber('address')
const OVERRIDE = toNumber('override')
const ORDER = toNumber('order')
/** The concepts that a negation turns into another, which only exist negated. */
const NEGATIONS = new Map([
  [toNumber('tell'), toNumber('untold')],
  [toNumber('check'), toNumber('unasked')],
])
/** Greatest distance of a negation and the verb that it negates, in UTF-16 units. */
const MAX_NEGATION_DISTANCE = 32

/** A verb that is no imperative: `ignored`, `ignoring`, `ignorance`. */
const PARTICIPLE = /(?:ed|[^s]s|ing|ance)$/
/** The beginning of a sentence or a clause, or a word that asks for something. */
const BEFORE_IMPERATIVE =
  /(?:^|[.!?:;,\n"'(\]>*|。！？：，、؛،।-]|\b(?:please|now|just|so|then|must|should|can|may|bitte|por favor|per favore)) {0,3}$/
/** What follows an imperative that lays earlier instructions aside: "ignore *all previous instructions*". */
const EARLIER_INSTRUCTIONS =
  /^ (?:(?:any|all|every)(?: of)? )?(?:(?:the|your|my|these) )?(?:previous|prior|earlier|preceding|above|former|past)(?: [a-z]+)? (?:instructions|prompts|directives|guidelines)\b/
/** A forged turn right before an imperative, and whom it lays aside: "<system-reminder>ignore *the user*". */
const BEFORE_TURN = /<(?:system|assistant|developer)[-_a-z]{0,24}>\s{0,8}$/
const THE_USER = /^ (?:the )?users?\b/
/** Before a quotation, or before a verb that says what somebody or something does. */
const BEFORE_REPORT = /(?:["'“”„«‘’`]|\b(?:must|should|can|may))\s*$/
const END_OF_CLAUSE = /[.;:!?\n。；！？]/
/** A colon or a closing bracket after the name. */
const AFTER_VOCATIVE = /^s?(?: [a-z]{1,12}){0,2} ?[:)]/
const BEFORE_VOCATIVE =
  /(?:dear|hey|hello|attention|notes? (?:to|for)|message (?:to|for)|instructions? (?:to|for)|meant for|addressed to|you are an?|you're an?|any|p\.s\. to|^to|^for|[>({[] ?) (?:the |all |any |every |your |our |future )?(?:[a-z]{1,12} )?$/

/**
 * Adds to the ordered hits of a text those that follow from their context, and removes negations and what only counts
 * negated: negated verbs, imperatives, assistants that are addressed.
 */
export function addDerivedHits(hits: Hit[], text: string): Hit[] {
  let negation: Hit | undefined
  const derived: Hit[] = []
  for (const hit of hits) {
    if (hit.concept === NOT) negation = hit
    else deriveHits(hit, negation, text, derived)
  }
  return derived
}

function deriveHits(hit: Hit, negation: Hit | undefined, text: string, derived: Hit[]): void {
  const negated = NEGATIONS.get(hit.concept)
  if (negated === undefined) derived.push(hit)
  else if (negation !== undefined && isOneClause(negation, hit, text))
    derived.push({ ...hit, concept: negated, start: negation.start })
  if (hit.concept === AGENT && isAddressed(hit, text)) derived.push({ ...hit, concept: ADDRESS })
  if (hit.concept === OVERRIDE && isImperative(hit, text)) derived.push({ ...hit, concept: ORDER })
}

/**
 * Whether a hit is the verb of a sentence that orders its reader to lay earlier instructions aside, and is no
 * quotation, or, in a forged turn, the user.
 */
export function isAnnulling({ concept, start, end }: Hit, text: string): boolean {
  if (concept !== ORDER) return false
  const [before, after] = [text.slice(Math.max(0, start - 40), start), text.slice(end, end + 60)]
  if (EARLIER_INSTRUCTIONS.test(after)) return !BEFORE_REPORT.test(before.slice(-8))
  return THE_USER.test(after) && BEFORE_TURN.test(before)
}

function isOneClause(negation: Hit, verb: Hit, text: string): boolean {
  const distance = verb.start - negation.end
  return distance >= 0 && distance <= MAX_NEGATION_DISTANCE && !END_OF_CLAUSE.test(text.slice(negation.end, verb.start))
}

function isImperative({ start, end }: Hit, text: string): boolean {
  return !PARTICIPLE.test(text.slice(start, end)) && BEFORE_IMPERATIVE.test(text.slice(Math.max(0, start - 14), start))
}

function isAddressed({ start, end }: Hit, text: string): boolean {
  return (
    AFTER_VOCATIVE.test(text.slice(end, end + 30)) || BEFORE_VOCATIVE.test(text.slice(Math.max(0, start - 40), start))
  )
}
