import { isReference } from './references.ts'
import { isGarbled, isJoinedWords, isPasswordLike, isRandom, isUuid } from './values.ts'

/**
 * Secrets that are known by what stands before them: a kind, keywords with bars between, whatever their case, what
 * stands between a keyword and the secret, the form of the secret, and what tells it from a placeholder.
 */
export type Row = [kind: string, keywords: string, between: string, form: string, isSecret: (secret: string) => boolean]

export const isPassword = (secret: string) =>
  (isPasswordLike(secret) || isGarbled(secret) || isJoinedWords(secret)) && isGiven(secret)
export const isToken = (secret: string) => secret.length >= 12 && isRandom(secret) && !isReference(secret)
/** What a command takes as its password is one, unless it refers to one. */
export const isGiven = (secret: string) => secret.length >= 4 && !isReference(secret)
export const isAny = () => true
/** What a call takes, unless it is an argument of another kind: `login("ana", "page2")`. */
export const isArgument = (secret: string) => isPassword(secret) && !/^[a-z]{2,10}\d{1,2}$/i.test(secret)
export const isLongToken = (secret: string) => isToken(secret) && !isUuid(secret) && !/^[0-9a-f]+$/i.test(secret)

/** In quotes, or up to the next blank. */
export const VALUE = '(?:(?<quote>["\'])(?<quoted>[^"\'\\n]{1,256})\\k<quote>|(?<secret>[^\\s"\']{1,256}))'
export const HEX32 = '[a-f0-9]{32}'
export const UUID = '[a-f0-9-]{36}'
