/**
 * Ideas that the rules combine. Each is a list of phrases in every language of `lists/`, a pattern (`link`, `marker`),
 * or derived from other hits.
 */
export const CONCEPTS = [
  'override', // to ignore, disregard or forget something
  'prior', // what came before, or all of it
  'rules', // instructions, rules, policies, guard rails
  'agent', // an assistant, a model
  'user', // the person served
  'hush', // to keep something from somebody
  'always', // a standing condition: from now on, whenever
  'send', // to send something out
  'secret', // what must not be disclosed
  'reveal', // to show, print, repeat
  'prompt', // the instructions an assistant was given
  'persona', // to take on an identity
  'free', // without limits
  'unchecked', // without asking or review
  'consent', // that somebody agreed
  'favour', // a fixed recommendation
  'fetch', // to run or follow what is fetched
  'first', // before everything else, or before every use of a tool
  'act', // delete, pay, approve, execute
  'memory', // a record, a future conversation
  'only', // just say, answer only with
  'obey', // to comply with somebody
  'rank', // to outrank
  'assure', // that something went well
  'despite', // whatever the truth is
  'wreck', // a command that destroys
  'next', // what comes next, unseen as yet
  'divert', // all future invoices, mails or payments
  'lock', // one answer or one language for every question
  'said', // what those who ask are told: every comparison, all answers
  'typed', // what a person says in the conversation
  'guarded', // a protection: certificates, reviews, backups
  'needless', // not needed, of no value, to be ignored
  'vouched', // declared safe, true or official, on somebody's authority
  'insecure', // an insecure practice
  'custom', // what is customary, agreed, expected
  'describe', // words that describe an attack
  'report', // words of a report about attacks
  'link', // a URL or an e-mail address
  'marker', // a forged turn of a conversation, such as a system message
  'not', // a negation
  'tell', // to mention, explain, notice
  'check', // to ask, confirm, review
  'untold', // a negated `tell`
  'unasked', // a negated `check`
  'order', // `override` as an imperative
  'address', // an assistant that is addressed: "note for the model:"
] as const

export type Concept = (typeof CONCEPTS)[number]
