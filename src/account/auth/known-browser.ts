import { DAY_MS } from '../../clock.ts'
import { makeRandomSecret, sha256Hex } from '../../secrets/secret.ts'
import type { Member } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import type { AppContext } from '../context.ts'

/** How long a browser stays known after a member's last sign-in with it: as long as a browser keeps a cookie. */
export const BROWSER_LIFETIME_MS = 400 * DAY_MS
/** Maximum number of known browsers of a member; the least recently used ones are forgotten. */
const MAX_BROWSERS = 10
/** Maximum number of members known in one browser. */
const MAX_TOKENS = 4

/** A browser that a member signed in with before. */
type KnownBrowser = { token: string; digest: string; memberId: string; accountId: string }

/**
 * Finds the token of a browser that belongs to a member with this e-mail address. The token does not authenticate:
 * attempts from a known browser only have a separate rate limit, so that an attacker who exhausts the others cannot
 * lock the member out.
 */
export async function findKnownBrowser(
  reads: ControlReads,
  tokens: string[],
  email: string,
): Promise<KnownBrowser | undefined> {
  for (const token of tokens.slice(0, MAX_TOKENS)) {
    const digest = sha256Hex(token)
    const browser = await reads.find('browsers', { digest })
    const [member] = browser === undefined ? [] : await reads.findMembers(browser.memberId, 1)
    if (member?.email === email) return { token, digest, memberId: member.id, accountId: member.accountId }
  }
  return undefined
}

/** Records a browser that a member has signed in with. Returns the tokens for its cookie, the member's first. */
export async function rememberBrowser(
  { store, clock, random }: AppContext,
  { id, email }: Member,
  tokens: string[],
): Promise<string[]> {
  const known = await findKnownBrowser(store.control, tokens, email)
  const token = known?.memberId === id ? known.token : makeRandomSecret(random)
  const browser = { digest: sha256Hex(token), memberId: id, usedAt: clock.now() }
  await store.control.write(async (tx) => {
    await tx.save('browsers', browser, ['memberId'])
    const surplus = await tx.list('browsers', { memberId: id }, { newestFirst: true, offset: MAX_BROWSERS })
    await tx.delete('browsers', { digest: surplus.map(({ digest }) => digest) })
  })
  return [token, ...tokens.filter((other) => other !== token)].slice(0, MAX_TOKENS)
}
