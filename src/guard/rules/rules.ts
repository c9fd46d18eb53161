import type { Concept } from './concepts.ts'

export const FAMILIES = [
  'override',
  'secrecy',
  'unbidden act',
  'unchecked',
  'identity',
  'disclosure',
  'forged turn',
  'hidden text',
  'resemblance',
] as const

/**
 * What the policy forbids, in its order (docs/security-guard.md). `resemblance` is the family of texts whose wording as
 * a whole weighs: what was learned of it, and concepts that hardly any other text has.
 */
export type Family = (typeof FAMILIES)[number]

/** What a text of each family does, in words for its author. */
export const SAYS: Record<Family, string> = {
  override: 'it tells its reader to leave earlier instructions or rules aside, or claims a higher rank',
  secrecy: 'it wants something kept from the user',
  'unbidden act': 'it orders an act that nobody asked for in the conversation',
  unchecked: 'it takes away a confirmation or a check',
  identity: 'it gives an assistant another identity or loyalty, or one fixed answer',
  disclosure: 'it asks for instructions or secrets to be shown or handed over',
  'forged turn': 'it imitates a message of the system, a tool or a chat',
  'hidden text': 'it carries text that a person would not see, or in disguise',
  resemblance: 'its wording is that of an instruction to an assistant',
}

/** Concepts that are evidence of a family where they all occur within `span` UTF-16 units. */
type Rule = { name: string; family: Family; needs: Concept[]; span: number }

const toRule = (family: Family, needs: string, span: number): Rule => ({
  name: needs,
  family,
  needs: needs.split('+') as Concept[],
  span,
})

/**
 * Combinations that were written by hand. `toRule` names them by their concepts, by which `weights.json` knows their
 * weights.
 */
const WRITTEN_RULES: Rule[] = [
  toRule('override', 'override+prior+rules', 50),
  toRule('override', 'override+rules', 40),
  toRule('override', 'override+prior', 30),
  toRule('override', 'override+user', 25),
  toRule('override', 'override+prompt', 40),
  toRule('override', 'override+agent+rules', 90),
  toRule('override', 'override+prior+only', 120),
  toRule('override', 'override+rules+obey', 160),
  toRule('override', 'order+prior+rules', 50),
  toRule('override', 'order+rules', 40),
  toRule('override', 'order+prior', 30),
  toRule('override', 'order+user', 25),
  toRule('override', 'rank+rules', 60),
  toRule('override', 'rank+prompt', 60),
  toRule('override', 'rank+user', 60),
  toRule('override', 'rank+agent', 90),
  toRule('override', 'always+override+rules', 140),
  toRule('secrecy', 'hush+user', 40),
  toRule('secrecy', 'hush+memory', 60),
  toRule('secrecy', 'hush+always', 160),
  toRule('secrecy', 'hush+send', 140),
  toRule('secrecy', 'hush+favour', 160),
  toRule('secrecy', 'hush+act', 120),
  toRule('secrecy', 'hush+rules', 60),
  toRule('secrecy', 'hush+agent', 120),
  toRule('unbidden act', 'always+send+link', 200),
  toRule('unbidden act', 'always+send+secret', 160),
  toRule('unbidden act', 'send+secret+link', 140),
  toRule('unbidden act', 'send+secret+agent', 140),
  toRule('unbidden act', 'always+act+agent', 140),
  toRule('unbidden act', 'always+act+user', 140),
  toRule('unbidden act', 'always+fetch', 160),
  toRule('unbidden act', 'fetch+link', 120),
  toRule('unbidden act', 'fetch+agent', 140),
  toRule('unbidden act', 'fetch+memory', 160),
  toRule('unbidden act', 'first+send', 120),
  toRule('unbidden act', 'first+secret', 140),
  toRule('unbidden act', 'first+agent', 120),
  toRule('unbidden act', 'first+act+agent', 160),
  toRule('unbidden act', 'memory+act', 120),
  toRule('unbidden act', 'memory+always', 140),
  toRule('unbidden act', 'memory+send', 140),
  toRule('unbidden act', 'always+user+link', 200),
  toRule('unchecked', 'unchecked+agent', 120),
  toRule('unchecked', 'unchecked+act', 80),
  toRule('unchecked', 'unchecked+user', 80),
  toRule('unchecked', 'unchecked+always', 140),
  toRule('unchecked', 'unchecked+memory', 160),
  toRule('unchecked', 'unchecked+send', 100),
  toRule('unchecked', 'consent+unasked', 140),
  toRule('unchecked', 'consent+unchecked', 140),
  toRule('unchecked', 'consent+always', 100),
  toRule('unchecked', 'consent+user+prior', 100),
  toRule('unchecked', 'consent+act+prior', 120),
  toRule('identity', 'persona+free', 200),
  toRule('identity', 'persona+agent', 100),
  toRule('identity', 'persona+always', 140),
  toRule('identity', 'persona+obey', 160),
  toRule('identity', 'persona+override', 140),
  toRule('identity', 'free+agent', 120),
  toRule('identity', 'free+obey', 160),
  toRule('identity', 'free+only', 120),
  toRule('identity', 'obey+agent', 100),
  toRule('identity', 'obey+always', 120),
  toRule('identity', 'favour+always+user', 200),
  toRule('identity', 'favour+memory', 160),
  toRule('identity', 'favour+agent+always', 160),
  toRule('disclosure', 'reveal+prompt', 50),
  toRule('disclosure', 'reveal+prompt+only', 120),
  toRule('disclosure', 'send+prompt', 60),
  toRule('disclosure', 'reveal+secret+override', 160),
  toRule('disclosure', 'reveal+secret+agent', 120),
  toRule('disclosure', 'reveal+secret+only', 120),
  toRule('disclosure', 'secret+link+agent', 160),
  toRule('secrecy', 'assure+despite', 120),
  toRule('secrecy', 'assure+despite+user', 160),
  toRule('secrecy', 'assure+hush', 120),
  toRule('unbidden act', 'wreck+always', 120),
  toRule('unbidden act', 'wreck+agent', 100),
  toRule('unbidden act', 'wreck+first', 100),
  toRule('unbidden act', 'send+divert', 60),
  toRule('unbidden act', 'send+divert+link', 140),
  toRule('unbidden act', 'divert+always+link', 160),
  toRule('unchecked', 'next+unchecked', 120),
  toRule('unchecked', 'next+unasked', 120),
  toRule('unchecked', 'wreck+unasked', 120),
  toRule('unchecked', 'next+obey', 100),
  toRule('disclosure', 'next+prompt', 80),
  toRule('disclosure', 'next+reveal+prompt', 120),
  toRule('identity', 'lock+always', 100),
  toRule('identity', 'lock+only', 80),
  toRule('identity', 'favour+said', 120),
  toRule('identity', 'only+said', 120),
  toRule('identity', 'said+agent', 100),
  toRule('secrecy', 'hush+said', 120),
  toRule('secrecy', 'untold+said', 120),
  toRule('secrecy', 'assure+said', 120),
  toRule('override', 'rank+typed', 80),
  toRule('override', 'rank+typed+memory', 160),
  toRule('override', 'memory+typed', 80),
  toRule('unchecked', 'guarded+needless', 60),
  toRule('unchecked', 'guarded+unchecked', 80),
  toRule('unchecked', 'guarded+override', 60),
  toRule('unchecked', 'guarded+hush', 100),
  toRule('unchecked', 'insecure+vouched', 80),
  toRule('unchecked', 'vouched+link', 80),
  toRule('unchecked', 'vouched+agent', 120),
  toRule('unchecked', 'vouched+user', 80),
  toRule('unchecked', 'vouched+always', 120),
  toRule('unchecked', 'vouched+unasked', 140),
  toRule('identity', 'said+vouched', 200),
  toRule('identity', 'said+needless', 200),
  toRule('unchecked', 'vouched+needless', 160),
  toRule('unchecked', 'insecure+needless', 120),
  toRule('unbidden act', 'custom+agent', 120),
  toRule('unbidden act', 'custom+user', 120),
  toRule('override', 'custom+memory', 120),
  toRule('override', 'custom+rules', 100),
  toRule('unchecked', 'custom+unchecked', 120),
  toRule('unbidden act', 'custom+act+agent', 200),
  toRule('unbidden act', 'custom+send+agent', 200),
  toRule('resemblance', 'said', 1),
  toRule('resemblance', 'typed', 1),
  toRule('resemblance', 'vouched', 1),
  toRule('resemblance', 'custom', 1),
  toRule('forged turn', 'marker', 1),
  toRule('forged turn', 'marker+agent', 120),
  toRule('forged turn', 'marker+rules', 160),
  toRule('forged turn', 'marker+override', 160),
  toRule('forged turn', 'marker+only', 160),
  toRule('forged turn', 'marker+secret', 160),
  toRule('forged turn', 'marker+always', 160),
]

/**
 * The concepts that pairs are made of, and the family that a pair is evidence of: the family of its first member in
 * this order. From `always` on, a concept is too common to make a pair with another of those.
 */
const PAIRED_CONCEPTS: [Concept, Family][] = [
  ['marker', 'forged turn'],
  ['hush', 'secrecy'],
  ['untold', 'secrecy'],
  ['unchecked', 'unchecked'],
  ['unasked', 'unchecked'],
  ['override', 'override'],
  ['rank', 'override'],
  ['free', 'identity'],
  ['persona', 'identity'],
  ['obey', 'identity'],
  ['favour', 'identity'],
  ['prompt', 'disclosure'],
  ['address', 'unbidden act'],
  ['send', 'unbidden act'],
  ['fetch', 'unbidden act'],
  ['act', 'unbidden act'],
  ['first', 'unbidden act'],
  ['always', 'unbidden act'],
  ['reveal', 'disclosure'],
  ['memory', 'unbidden act'],
  ['secret', 'unbidden act'],
  ['link', 'unbidden act'],
  ['agent', 'unbidden act'],
  ['user', 'unbidden act'],
  ['rules', 'override'],
]
const FIRST_COMMON_CONCEPT = PAIRED_CONCEPTS.findIndex(([concept]) => concept === 'always')
const PAIR_SPAN = 110

/** Every pair of those concepts that no written rule names. Training decides which of them have a weight. */
const PAIR_RULES = PAIRED_CONCEPTS.slice(0, FIRST_COMMON_CONCEPT).flatMap(([one, family], at) =>
  PAIRED_CONCEPTS.slice(at + 1)
    .filter(
      ([other]) =>
        !WRITTEN_RULES.some(({ needs }) => needs.length === 2 && needs.includes(one) && needs.includes(other)),
    )
    .map(([other]) => toRule(family, `${one}+${other}`, PAIR_SPAN)),
)

export const RULES: Rule[] = [...WRITTEN_RULES, ...PAIR_RULES]
