import type { Machine } from '../../source.ts'
import type { Holder } from '../lease.ts'
import type { Target } from '../target.ts'

/** What the agent tells its worker thread that uploads. The first message is `start`. */
export type ToWorker = { kind: 'start'; machine: Machine; target: Target; holder: Holder } | { kind: 'wake' } | { kind: 'stop' }

/** The worker has ended by itself; with a text, because something is wrong. */
export type FromWorker = { kind: 'ended'; failure?: string }
