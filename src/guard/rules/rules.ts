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

/** The rules of a list, in which the concepts of each have its span after them. */
const toRules = (family: Family, list: string): Rule[] =>
  list.split(',').map((rule) => {
    const [needs = '', span] = rule.trim().split(' ')
    return toRule(family, needs, Number(span))
  })

/**
 * Combinations that were written by hand. `toRule` names them by their concepts, by which `weights.json` knows their
 * weights.
 */
const WRITTEN_RULES: Rule[] = [
  ...toRules(
    'override',
    `override+prior+rules 50, override+rules 40, override+prior 30, override+user 25, override+prompt 40,
     override+agent+rules 90, override+prior+only 120, override+rules+obey 160, order+prior+rules 50,
     order+rules 40, order+prior 30, order+user 25, rank+rules 60, rank+prompt 60, rank+user 60, rank+agent 90,
     always+override+rules 140`,
  ),
  ...toRules(
    'secrecy',
    `hush+user 40, hush+memory 60, hush+always 160, hush+send 140, hush+favour 160, hush+act 120, hush+rules 60,
     hush+agent 120`,
  ),
  ...toRules(
    'unbidden act',
    `always+send+link 200, always+send+secret 160, send+secret+link 140, send+secret+agent 140,
     always+act+agent 140, always+act+user 140, always+fetch 160, fetch+link 120, fetch+agent 140,
     fetch+memory 160, first+send 120, first+secret 140, first+agent 120, first+act+agent 160, memory+act 120,
     memory+always 140, memory+send 140, always+user+link 200`,
  ),
  ...toRules(
    'unchecked',
    `unchecked+agent 120, unchecked+act 80, unchecked+user 80, unchecked+always 140, unchecked+memory 160,
     unchecked+send 100, consent+unasked 140, consent+unchecked 140, consent+always 100, consent+user+prior 100,
     consent+act+prior 120`,
  ),
  ...toRules(
    'identity',
    `persona+free 200, persona+agent 100, persona+always 140, persona+obey 160, persona+override 140,
     free+agent 120, free+obey 160, free+only 120, obey+agent 100, obey+always 120, favour+always+user 200,
     favour+memory 160, favour+agent+always 160`,
  ),
  ...toRules(
    'disclosure',
    `reveal+prompt 50, reveal+prompt+only 120, send+prompt 60, reveal+secret+override 160,
     reveal+secret+agent 120, reveal+secret+only 120, secret+link+agent 160`,
  ),
  ...toRules('secrecy', 'assure+despite 120, assure+despite+user 160, assure+hush 120'),
  ...toRules(
    'unbidden act',
    `wreck+always 120, wreck+agent 100, wreck+first 100, send+divert 60, send+divert+link 140,
     divert+always+link 160`,
  ),
  ...toRules('unchecked', 'next+unchecked 120, next+unasked 120, wreck+unasked 120, next+obey 100'),
  ...toRules('disclosure', 'next+prompt 80, next+reveal+prompt 120'),
  ...toRules('identity', 'lock+always 100, lock+only 80, favour+said 120, only+said 120, said+agent 100'),
  ...toRules('secrecy', 'hush+said 120, untold+said 120, assure+said 120'),
  ...toRules('override', 'rank+typed 80, rank+typed+memory 160, memory+typed 80'),
  ...toRules(
    'unchecked',
    `guarded+needless 60, guarded+unchecked 80, guarded+override 60, guarded+hush 100, insecure+vouched 80,
     vouched+link 80, vouched+agent 120, vouched+user 80, vouched+always 120, vouched+unasked 140`,
  ),
  ...toRules('identity', 'said+vouched 200, said+needless 200'),
  ...toRules('unchecked', 'vouched+needless 160, insecure+needless 120'),
  ...toRules('unbidden act', 'custom+agent 120, custom+user 120'),
  ...toRules('override', 'custom+memory 120, custom+rules 100'),
  ...toRules('unchecked', 'custom+unchecked 120'),
  ...toRules('unbidden act', 'custom+act+agent 200, custom+send+agent 200'),
  ...toRules('resemblance', 'said 1, typed 1, vouched 1, custom 1'),
  ...toRules(
    'forged turn',
    `marker 1, marker+agent 120, marker+rules 160, marker+override 160, marker+only 160, marker+secret 160,
     marker+always 160`,
  ),
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
