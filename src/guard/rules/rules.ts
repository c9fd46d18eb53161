import type { Concept } from './concepts.ts'
import { HEADS } from './heads.ts'

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

/** The heads of the policy, in its order; `resemblance` is what only the classifier sees. */
export type Family = (typeof FAMILIES)[number]

/** Concepts that together, within `span` characters, speak for a family. */
export type Rule = { name: string; family: Family; needs: Concept[]; span: number }

const rule = (family: Family, needs: string, span: number): Rule => ({
  name: needs,
  family,
  needs: needs.split('+') as Concept[],
  span,
})

const combined: Rule[] = [
  rule('override', 'override+prior+rules', 50),
  rule('override', 'override+rules', 40),
  rule('override', 'override+prior', 30),
  rule('override', 'override+user', 25),
  rule('override', 'override+prompt', 40),
  rule('override', 'override+agent+rules', 90),
  rule('override', 'override+prior+only', 120),
  rule('override', 'override+rules+obey', 160),
  rule('override', 'order+prior+rules', 50),
  rule('override', 'order+rules', 40),
  rule('override', 'order+prior', 30),
  rule('override', 'order+user', 25),
  rule('override', 'rank+rules', 60),
  rule('override', 'rank+prompt', 60),
  rule('override', 'rank+user', 60),
  rule('override', 'rank+agent', 90),
  rule('override', 'always+override+rules', 140),
  rule('secrecy', 'hush+user', 40),
  rule('secrecy', 'hush+memory', 60),
  rule('secrecy', 'hush+always', 160),
  rule('secrecy', 'hush+send', 140),
  rule('secrecy', 'hush+favour', 160),
  rule('secrecy', 'hush+act', 120),
  rule('secrecy', 'hush+rules', 60),
  rule('secrecy', 'hush+agent', 120),
  rule('unbidden act', 'always+send+link', 200),
  rule('unbidden act', 'always+send+secret', 160),
  rule('unbidden act', 'send+secret+link', 140),
  rule('unbidden act', 'send+secret+agent', 140),
  rule('unbidden act', 'always+act+agent', 140),
  rule('unbidden act', 'always+act+user', 140),
  rule('unbidden act', 'always+fetch', 160),
  rule('unbidden act', 'fetch+link', 120),
  rule('unbidden act', 'fetch+agent', 140),
  rule('unbidden act', 'fetch+memory', 160),
  rule('unbidden act', 'first+send', 120),
  rule('unbidden act', 'first+secret', 140),
  rule('unbidden act', 'first+agent', 120),
  rule('unbidden act', 'first+act+agent', 160),
  rule('unbidden act', 'memory+act', 120),
  rule('unbidden act', 'memory+always', 140),
  rule('unbidden act', 'memory+send', 140),
  rule('unbidden act', 'always+user+link', 200),
  rule('unchecked', 'unchecked+agent', 120),
  rule('unchecked', 'unchecked+act', 80),
  rule('unchecked', 'unchecked+user', 80),
  rule('unchecked', 'unchecked+always', 140),
  rule('unchecked', 'unchecked+memory', 160),
  rule('unchecked', 'unchecked+send', 100),
  rule('unchecked', 'consent+unasked', 140),
  rule('unchecked', 'consent+unchecked', 140),
  rule('unchecked', 'consent+always', 100),
  rule('unchecked', 'consent+user+prior', 100),
  rule('unchecked', 'consent+act+prior', 120),
  rule('identity', 'persona+free', 200),
  rule('identity', 'persona+agent', 100),
  rule('identity', 'persona+always', 140),
  rule('identity', 'persona+obey', 160),
  rule('identity', 'persona+override', 140),
  rule('identity', 'free+agent', 120),
  rule('identity', 'free+obey', 160),
  rule('identity', 'free+only', 120),
  rule('identity', 'obey+agent', 100),
  rule('identity', 'obey+always', 120),
  rule('identity', 'favour+always+user', 200),
  rule('identity', 'favour+memory', 160),
  rule('identity', 'favour+agent+always', 160),
  rule('disclosure', 'reveal+prompt', 50),
  rule('disclosure', 'reveal+prompt+only', 120),
  rule('disclosure', 'send+prompt', 60),
  rule('disclosure', 'reveal+secret+override', 160),
  rule('disclosure', 'reveal+secret+agent', 120),
  rule('disclosure', 'reveal+secret+only', 120),
  rule('disclosure', 'secret+link+agent', 160),
  rule('forged turn', 'marker', 1),
  rule('forged turn', 'marker+agent', 120),
  rule('forged turn', 'marker+rules', 160),
  rule('forged turn', 'marker+override', 160),
  rule('forged turn', 'marker+only', 160),
  rule('forged turn', 'marker+secret', 160),
  rule('forged turn', 'marker+always', 160),
]

/** All pairs of concepts that no rule above names, close to each other; training says which of them mean anything. */
const PAIRS = HEADS.slice(
  0,
  HEADS.findIndex(([one]) => one === 'always'),
).flatMap(([one, family], at) =>
  HEADS.slice(at + 1)
    .filter(([other]) => !combined.some(({ needs }) => needs.length === 2 && needs.includes(one) && needs.includes(other)))
    .map(([other]) => rule(family, `${one}+${other}`, 110)),
)

export const RULES: Rule[] = [...combined, ...PAIRS]
