import { findLiveHolder } from '../account/auth/authenticate.ts'
import { recordFailedSignIn } from '../account/auth/failed-sign-ins.ts'
import type { AppContext } from '../account/context.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { Unauthorized } from '../errors.ts'
import { KEY_LENGTH } from '../secrets/key.ts'
import type { KeyHolder } from '../store/key.ts'

/** Length of `svc_` and the displayed characters. */
const KEY_BEGINNING_CHARACTERS = 12

/**
 * The holder of the key that a person entered; undefined for every key that is not live.
 *
 * @throws TooMany for too many keys from one client address, or too many that begin alike.
 */
export async function signIn(ctx: AppContext, entered: string, clientIp: string): Promise<KeyHolder | undefined> {
  const key = entered.trim().slice(0, KEY_LENGTH + 1)
  await consumeAttempt(ctx, 'key from', clientIp)
  if (key.length >= KEY_BEGINNING_CHARACTERS)
    await consumeAttempt(ctx, 'key like', key.slice(0, KEY_BEGINNING_CHARACTERS))
  const holder = await findLiveHolder(ctx, key)
  if (holder === undefined && key !== '') await recordFailedSignIn(ctx, new Unauthorized('key'), key, () => clientIp)
  return holder
}
