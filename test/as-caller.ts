import type { Static } from 'typebox'
import type { Actor } from '../src/account/auth/actor.ts'
import type { Caller } from '../src/account/auth/caller.ts'
import type { RememberArguments } from '../src/memory/records/save/draft.ts'
import { rememberRecord } from '../src/memory/records/save/remember.ts'
import { type ForgetArguments, forgetRecords } from '../src/memory/records/trash/forget.ts'
import type { Service } from '../src/service.ts'

/** The caller of a tool as an actor. */
export const asActor = (caller: Caller): Actor => ({ kind: 'caller', caller })

/** What the tool `remember` does for a caller. */
export function rememberAs(service: Service, caller: Caller, args: Static<typeof RememberArguments>) {
  return rememberRecord(service, asActor(caller), { ...args, projectId: caller.projectId })
}

/** What the tool `forget` does for a caller. */
export function forgetAs(service: Service, caller: Caller, args: ForgetArguments) {
  return forgetRecords(service, asActor(caller), { ...args, projectId: caller.projectId })
}
