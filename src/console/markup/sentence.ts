/** Longer messages contain user input, and are truncated. */
const MAX_SENTENCE_CHARACTERS = 600

/** An error message as a sentence: with a capital letter and a full stop. */
export function toSentence(reason: string): string {
  if (reason.length > MAX_SENTENCE_CHARACTERS) return toSentence(`${reason.slice(0, MAX_SENTENCE_CHARACTERS - 1).toWellFormed()}…`)
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
