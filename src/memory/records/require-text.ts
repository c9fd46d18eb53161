import { Refusal } from '../../errors.ts'

/** Something that a reader sees: neither a blank nor a character without a shape. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Passes text that can be kept without loss; throws a Refusal that names the argument for half a character, NUL, or nothing to be seen. */
export function requireText(name: string, text: string): string {
  if (!text.isWellFormed()) throw new Refusal(`${name} must be well-formed Unicode text`)
  if (text.includes('\0')) throw new Refusal(`${name} must not contain the character NUL`)
  if (!VISIBLE.test(text)) throw new Refusal(`${name} must not be empty`)
  return text
}

const MAX_ECHO_CHARACTERS = 512

/** Text of the caller's as an answer may repeat it: well-formed and of bounded length. */
export function shorten(text: string): string {
  return (text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text).toWellFormed()
}
