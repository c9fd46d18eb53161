import { KEY_LENGTH } from '../account/key.ts'
import type { Means } from '../account/means.ts'
import { findLiveHolder } from '../account/recognise.ts'
import { noteFailedSignIn } from '../account/sign-ins.ts'
import { takeAttempt } from '../account/throttle.ts'
import { Unauthorized } from '../errors.ts'
import type { KeyHolder } from '../store/control.ts'

/** `svc_` and the characters that lists show. */
const BEGINNING = 12

/** What the key that a person entered opens; undefined for every key that opens nothing. Throws TooMany for its address or its beginning. */
export async function signIn(means: Means, entered: string, address: string): Promise<KeyHolder | undefined> {
  const key = entered.trim().slice(0, KEY_LENGTH + 1)
  takeAttempt(means, 'key from', address)
  if (key.length >= BEGINNING) takeAttempt(means, 'key like', key.slice(0, BEGINNING))
  const holder = await findLiveHolder(means, key)
  if (holder === undefined && key !== '') await noteFailedSignIn(means, new Unauthorized('key'), key, () => address)
  return holder
}
