/** An error message as a sentence: with a capital letter and a full stop. */
export function toSentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
