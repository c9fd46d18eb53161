import type { Path } from './settings.ts'

/** A settings format. Edits keep comments, order and layout of everything else. */
export type TextFormat = {
  /** Parses a file; an empty text is `{}`. @throws any error if the text is malformed. */
  parse: (text: string) => unknown
  /** Returns the text with `value` at `path`, creating missing objects; an index past the end of a list appends. Undefined removes the value. */
  set: (text: string, path: Path, value: unknown) => string
}
