import type { Caller } from './caller.ts'
import type { Means } from './means.ts'

/** Takes a place in the windows of the caller's key and project, or throws a Refusal and takes none. */
export async function takeCall(_means: Means, _caller: Caller): Promise<void> {}
