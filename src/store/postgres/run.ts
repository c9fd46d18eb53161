import type { Connection } from './pool.ts'

/** Runs statements on a connection: of a write its own, otherwise the next free one. */
export type Run = <T>(act: (connection: Connection) => Promise<T>) => Promise<T>
