import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser'
import type { Path, TextFormat } from './settings.ts'

const BOM = '\uFEFF'
const LENIENT = { allowTrailingComma: true }

/** JSON with comments and trailing commas. */
export const jsonFormat: TextFormat = {
  parse: (text) => {
    const errors: ParseError[] = []
    const value: unknown = parse(toSource(text), errors, LENIENT)
    if (errors.length > 0) throw new SyntaxError('not JSON')
    return value
  },
  set: (text, path, value) => {
    const source = toSource(text)
    const tree = parseTree(source, [], LENIENT)
    const edits =
      tree === undefined ? [] : value === undefined ? removal(source, tree, path) : setting(source, tree, path, value)
    return `${text.startsWith(BOM) ? BOM : ''}${applyEdits(source, edits)}${text === '' ? '\n' : ''}`
  },
}

function toSource(text: string): string {
  const source = text.startsWith(BOM) ? text.slice(BOM.length) : text
  return source.trim() === '' ? '{}' : source
}

// The library's own edits reformat neighbouring values, and move comments.

function setting(source: string, tree: Node, path: Path, value: unknown): Edit[] {
  const depth = path.findIndex((_, index) => findNodeAtLocation(tree, path.slice(0, index + 1)) === undefined)
  if (depth < 0) return replacement(source, findNodeAtLocation(tree, path), value)
  const container = findNodeAtLocation(tree, path.slice(0, depth))
  const nested = path
    .slice(depth + 1)
    .reduceRight<unknown>((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value)
  const key = path[depth]
  return container === undefined
    ? []
    : insertion(source, container, typeof key === 'string' ? `${JSON.stringify(key)}: ` : '', nested)
}

function replacement(source: string, node: Node | undefined, value: unknown): Edit[] {
  if (node === undefined) return []
  return [{ offset: node.offset, length: node.length, content: toText(source, value, indentAt(source, node.offset)) }]
}

/** Inserts after the last value of an object or list, and after a comment in the same line. */
function insertion(source: string, container: Node, label: string, value: unknown): Edit[] {
  const last = container.children?.at(-1)
  if (last === undefined) return firstInsertion(source, container, label, value)
  const end = last.offset + last.length
  const comma = findComma(source, end)
  const after = comma === undefined ? end : comma + 1
  const [comment = ''] = /^[ \t]*\/\/[^\r\n]*/.exec(source.slice(after)) ?? []
  const indent = indentAt(source, last.offset)
  const isInLine = !/^[ \t]*$/.test(source.slice(source.lastIndexOf('\n', last.offset) + 1, last.offset))
  const content = isInLine
    ? ` ${label}${JSON.stringify(value)}`
    : `${eolOf(source)}${indent}${label}${toText(source, value, indent)}`
  const added = { offset: after + comment.length, length: 0, content: comma === undefined ? content : `${content},` }
  return comma === undefined ? [{ offset: end, length: 0, content: ',' }, added] : [added]
}

function firstInsertion(source: string, { offset }: Node, label: string, value: unknown): Edit[] {
  const [eol, around] = [eolOf(source), indentAt(source, offset)]
  const indent = around + unitOf(source)
  return [
    {
      offset: offset + 1,
      length: 0,
      content: `${eol}${indent}${label}${toText(source, value, indent)}${eol}${around}`,
    },
  ]
}

function toText(source: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(source)).replaceAll('\n', eolOf(source) + indent)
}

function eolOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n'
}

/** The indentation of one level, taken from the first indented line. */
function unitOf(source: string): string {
  return /^([ \t]+)\S/m.exec(source)?.[1] ?? '  '
}

/** The indentation of the line of an offset. */
function indentAt(source: string, offset: number): string {
  return /^[ \t]*/.exec(source.slice(source.lastIndexOf('\n', offset) + 1))?.[0] ?? ''
}

function removal(source: string, tree: Node, path: Path): Edit[] {
  const value = findNodeAtLocation(tree, path)
  const node = typeof path.at(-1) === 'string' ? value?.parent : value
  if (node === undefined) return []
  const end = node.offset + node.length
  const comma = findComma(source, end)
  if (comma !== undefined) return [wholeLines(source, node.offset, comma + 1)]
  const siblings = node.parent?.children ?? []
  const previous = siblings[siblings.indexOf(node) - 1]
  const commaBefore = previous && findComma(source, previous.offset + previous.length)
  const edits = commaBefore === undefined ? [] : [{ offset: commaBefore, length: 1, content: '' }]
  return [...edits, wholeLines(source, node.offset, end)]
}

/** The offset of the comma after a value; undefined if there is none. */
function findComma(source: string, from: number): number | undefined {
  const scanner = createScanner(source, true)
  scanner.setPosition(from)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return source[at] === ',' ? at : undefined
}

/** Removes a range, and its lines if they contain nothing else. */
function wholeLines(source: string, start: number, end: number): Edit {
  const blankBefore = /(^|\n)[ \t]*$/.exec(source.slice(0, start))?.[0].replace('\n', '')
  const blankAfter = /^[ \t]*\r?\n/.exec(source.slice(end))?.[0]
  if (blankBefore === undefined || blankAfter === undefined) return { offset: start, length: end - start, content: '' }
  const offset = start - blankBefore.length
  return { offset, length: end + blankAfter.length - offset, content: '' }
}
