import { parseDocument } from 'yaml'
import type { TextFormat } from './settings.ts'

/** A list whose items begin in the column of its key. */
const LIST_NOT_INDENTED = /^( *)[^ #\r\n-].*:[ \t]*\r?\n\1- /m

/** YAML. Comments are kept; white space may be normalized. */
export const yamlFormat: TextFormat = {
  parse: (text) => toDocument(text).toJS({ maxAliasCount: 100 }) ?? {},
  set: (text, path, value) => {
    const document = toDocument(text)
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, document.createNode(value))
    return document.toString({ lineWidth: 0, indentSeq: !LIST_NOT_INDENTED.test(text) })
  },
}

function toDocument(text: string) {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw error
  return document
}
