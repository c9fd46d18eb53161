import type { Machine } from '../../source.ts'
import type { Holder } from '../lease.ts'
import type { Target } from '../target.ts'

/** Messages of the agent to its worker thread that uploads. The first is `start`. */
export type ToWorker = { kind: 'start'; machine: Machine; target: Target; holder: Holder } | { kind: 'wake' } | { kind: 'stop' }

/** The worker has ended by itself; with `failure`, because of an error. */
export type FromWorker = { kind: 'ended'; failure?: string }
