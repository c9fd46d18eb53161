import { digestOf } from '../../secrets/key.ts'
import { makeRandomSecret } from '../../secrets/random-secret.ts'
import type { Member } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import type { AppContext } from '../context.ts'

const DAY = 24 * 60 * 60 * 1000
/** How long a browser stays known after the last time its member signed in with it. No browser keeps a cookie longer than 400 days. */
export const BROWSER_LIFETIME_MS = 400 * DAY
/** Browsers known of one member: those used longest ago are forgotten. */
const MAX_BROWSERS = 10
/** Members that are known in one browser. */
const MAX_TOKENS = 4

/** A browser that a member signed in with before. */
export type KnownBrowser = { token: string; digest: string; memberId: string; accountId: string }

/**
 * Which of a browser's tokens is of a member of this address. Such a token opens nothing: it lets the browser enter a password while others
 * are refused because too many were entered.
 */
export async function findKnownBrowser(reads: ControlReads, tokens: string[], email: string): Promise<KnownBrowser | undefined> {
  for (const token of tokens.slice(0, MAX_TOKENS)) {
    const digest = digestOf(token)
    const memberId = await reads.findBrowserMember(digest)
    const member = memberId === undefined ? undefined : await reads.findMember(memberId)
    if (member?.email === email) return { token, digest, memberId: member.id, accountId: member.accountId }
  }
  return undefined
}

/** Notes that a member has signed in with a browser. Returns the tokens that it is to keep, theirs first; of each only a hash is kept here. */
export async function rememberBrowser({ store, clock, random }: AppContext, { id, email }: Member, tokens: string[]): Promise<string[]> {
  const known = await findKnownBrowser(store.control, tokens, email)
  const token = known?.memberId === id ? known.token : makeRandomSecret(random)
  const browser = { digest: digestOf(token), memberId: id, usedAt: clock.now() }
  await store.control.write((tx) => tx.saveBrowser(browser, MAX_BROWSERS))
  return [token, ...tokens.filter((other) => other !== token)].slice(0, MAX_TOKENS)
}
