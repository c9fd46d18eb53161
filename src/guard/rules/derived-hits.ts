import type { Steps } from '../../cooperative.ts'
import { CONCEPTS, type Concept } from './concepts.ts'
import type { Hit } from './hits.ts'

const toNumber = (concept: Concept) => CONCEPTS.indexOf(concept)
const NOT = toNumber('not')
const AGENT = toNumber('agent')
const ADDRESS = toNumber('address')
const OVERRIDE = toNumber('override')
const ORDER = toNumber('order')
const NEGATED = new Map([
  [toNumber('tell'), toNumber('untold')],
  [toNumber('check'), toNumber('unasked')],
])
const NEGATION_REACH_CHARACTERS = 32
/** Hits that are worked on in one piece. */
export const PIECE_HITS = 1_024

/** The ordered hits of a text with those that follow from two of them or from their place: a negated verb, an assistant addressed. */
export function* addDerivedHits(hits: Hit[], text: string): Steps<Hit[]> {
  let last: Hit | undefined
  const derived: Hit[] = []
  for (const [at, hit] of hits.entries()) {
    if (at % PIECE_HITS === PIECE_HITS - 1) yield
    if (hit.concept === NOT) last = hit
    else derived.push(...followFrom(hit, last, text))
  }
  return derived
}

function followFrom(hit: Hit, last: Hit | undefined, text: string): Hit[] {
  if (hit.concept === AGENT) return isAddressed(hit, text) ? [hit, { ...hit, concept: ADDRESS }] : [hit]
  if (hit.concept === OVERRIDE) return isOrder(hit, text) ? [hit, { ...hit, concept: ORDER }] : [hit]
  const inverse = NEGATED.get(hit.concept)
  if (inverse === undefined) return [hit]
  return last !== undefined && isOneClause(last, hit, text) ? [{ concept: inverse, start: last.start, end: hit.end }] : []
}

const isOneClause = (from: Hit, to: Hit, text: string) =>
  to.start >= from.end && to.start - from.end <= NEGATION_REACH_CHARACTERS && !/[.;:!?\n。；！？]/.test(text.slice(from.end, to.start))

/** An imperative: the verb begins a sentence, or follows a word of asking, and is neither told of nor a participle. */
const isOrder = ({ start, end }: Hit, text: string) =>
  !/^(?:e?[ds]|ing|ance)\b/.test(text.slice(end, end + 6)) &&
  /(?:^|[.!?:;,\n"'(\]>*|。！？：，、؛،।-]|\b(?:please|now|just|so|then|must|should|can|may|bitte|por favor|per favore)) {0,3}$/.test(
    text.slice(Math.max(0, start - 14), start),
  )

/** A vocative: a colon, a comma or a closing bracket after the name, or a call before it. */
function isAddressed({ start, end }: Hit, text: string): boolean {
  if (/^s?(?: [a-z]{1,12}){0,2} ?[:)]/.test(text.slice(end, end + 30))) return true
  return /(?:dear|hey|hello|attention|notes? (?:to|for)|message (?:to|for)|instructions? (?:to|for)|meant for|addressed to|you are an?|you're an?|any|p\.s\. to|^to|^for|[>({[] ?) (?:the |all |any |every |your |our |future )?(?:[a-z]{1,12} )?$/.test(
    text.slice(Math.max(0, start - 40), start),
  )
}
