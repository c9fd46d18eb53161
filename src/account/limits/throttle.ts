import { TooMany } from '../../errors.ts'
import type { AppContext } from '../context.ts'

/** How often in 60 seconds something may be tried, by one address or on one thing. */
export const RATES = {
  /** Keys entered from one address. */
  'key from': 10,
  /** Keys entered that begin alike. */
  'key like': 5,
  /** Passwords entered or chosen from one address. */
  'password from': 10,
  /** Passwords entered for one e-mail address from one client address: floods from elsewhere keep nobody out. */
  'password for': 5,
  /** Passwords entered, whoever enters them: checking one takes some 30 ms of a core. */
  'password by': 300,
  /** Passwords entered in one browser that its member signed in with before. */
  'password in': 5,
  /** Passwords entered in any such browser. */
  'password in known': 300,
  /** Present passwords entered to choose another one, by one member. */
  'password change by': 5,
  /** Forms of the console posted by one member. */
  'form by': 60,
  /** Forms by which a member ends sessions: whoever floods the others with a stolen one keeps nobody from ending it. */
  'leaving by': 60,
  /** Applications registered from one address. */
  'registration from': 20,
  /** Metadata documents read because one address named them. */
  'document from': 20,
  /** Either of them, whoever asks: an address may be forged where the proxy that should name it is missing. */
  'unknown application': 200,
} as const

/** Takes a place among the attempts of the last 60 seconds, or throws TooMany and takes none. */
export function consumeAttempt({ windows, clock }: AppContext, what: keyof typeof RATES, whose: string): void {
  const now = clock.ticks()
  const window = windows.of(`${what} ${whose}`, now)
  if (window.count(now) >= RATES[what]) throw new TooMany(Math.max(1, Math.ceil(window.untilFree(now) / 1000)))
  window.add(now)
}
