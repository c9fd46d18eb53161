import type { Caller } from './caller.ts'
import type { Means } from './means.ts'

/** What a tool does to the project; decides in which subscription states it works. */
export type Access = 'read' | 'write' | 'gateway'

/** Lets the call pass, or throws the Notice of the account's subscription state. */
export async function admit(_means: Means, _caller: Caller, _access: Access): Promise<void> {}
