import type { Path } from './settings.ts'

/** How a file of settings is read and edited. Edits keep comments, order and layout of everything else. */
export type TextFormat = {
  /** The file's value; an empty text is `{}`. @throws an error of any kind where the text is not of the format. */
  parse: (text: string) => unknown
  /** The text with `value` at `path`, where an object need not be there yet; a number past the end of a list appends. Undefined takes it out. */
  set: (text: string, path: Path, value: unknown) => string
}
