import type { Entry } from './entry.ts'

/** A piece of what is imported: a line or a note, where it stands, and the records it holds or why it holds none. */
export type Item = { where: string; entries: Entry[] } | { where: string; refused: string }
