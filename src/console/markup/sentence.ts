/** Longer messages contain user input, and are truncated. */
const MAX_SENTENCE_CHARACTERS = 600

/** What arguments of the tools are called in forms. */
const ARGUMENT_LABELS: Record<string, string> = {
  source_id: 'source',
  source_hash: 'source hash',
  fact_key: 'fact key',
  expires_at: 'expiry',
}

/** Names of arguments, but for those in quotes, which are what somebody typed. */
const ARGUMENT_NAMES = new RegExp(`(?<![\\w'“])(${Object.keys(ARGUMENT_LABELS).join('|')})(?![\\w'”])`, 'g')

/** An error message as a sentence: with a capital letter and a full stop, and with the labels of forms for arguments. */
export function toSentence(reason: string): string {
  if (reason.length > MAX_SENTENCE_CHARACTERS) return toSentence(`${reason.slice(0, MAX_SENTENCE_CHARACTERS - 1).toWellFormed()}…`)
  const labelled = reason.replace(ARGUMENT_NAMES, (name) => ARGUMENT_LABELS[name] ?? name)
  const text = labelled.charAt(0).toUpperCase() + labelled.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
