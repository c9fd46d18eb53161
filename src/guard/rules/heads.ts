import type { Concept } from './concepts.ts'
import type { Family } from './rules.ts'

/** Which family a pair of concepts speaks for: that of its first member found here. What is not named here makes no pair, nor do two of the plain ones, from `always` on. */
export const HEADS: [Concept, Family][] = [
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
