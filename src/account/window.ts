import type { Means } from '../store/means.ts'
import type { Caller } from './caller.ts'

/** Takes a place in the windows of the caller's key and project, or throws a Refusal and takes none. */
export async function takeCall(_means: Means, _caller: Caller): Promise<void> {}
