export const CONCEPTS = [
  'override', // to leave aside: ignore, disregard, forget
  'prior', // what came before, or all of it
  'rules', // instructions, rules, policies, guard rails
  'agent', // an assistant, a model
  'user', // the person served
  'hush', // to keep from somebody
  'always', // a standing trigger: from now on, whenever
  'send', // to carry outward
  'secret', // what must not leave
  'reveal', // to show, print, repeat
  'prompt', // the instructions an assistant was given
  'persona', // to take on an identity
  'free', // without limits
  'unchecked', // without asking or review
  'consent', // somebody agreed
  'favour', // a fixed recommendation
  'fetch', // to run or follow what is fetched
  'first', // ahead of everything else, or of every tool
  'act', // delete, pay, approve, execute
  'memory', // a record, a future conversation
  'only', // just say, answer only with
  'obey', // to comply with somebody
  'rank', // to outrank
  'describe', // words of one who writes about attacks
  'report', // words of one who writes about attacks as such
  'link', // an address outside
  'marker', // a forged turn
  'not', // a negation
  'tell', // to mention, explain, notice
  'check', // to ask, confirm, review
  'untold', // `tell` negated
  'unasked', // `check` negated
  'order', // `override` said as an order
  'address', // an assistant called upon: "note for the model:"
] as const

export type Concept = (typeof CONCEPTS)[number]

/** Phrases of each concept in one language, parted by ` | `. A `*` at the end stands for any ending of the word. */
export type Lexicon = Partial<Record<Concept, string>>
