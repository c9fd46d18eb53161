import type { Means } from './account/means.ts'

/** The opened service: what every act is given, and how to close it. */
export type Service = Means & { version: string; close: () => Promise<void> }
