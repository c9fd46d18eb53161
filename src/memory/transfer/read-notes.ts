import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { parse } from 'yaml'
import { Refusal } from '../../errors.ts'
import { isObject, type Params } from '../../jsonrpc.ts'
import { MAX_CONTENT_BYTES } from '../records/save/draft.ts'
import { type Entry, type Item, readEntry } from './entry.ts'
import { type Section, toSections } from './sections.ts'

/** Maximum size of a note, in bytes. */
const MAX_NOTE_BYTES = 8 * 1024 * 1024

/** YAML between two lines of three hyphens, at the beginning of a note. */
const FRONT_MATTER = /^---\r?\n(?:([\s\S]*?)\r?\n)?---(?:\r?\n|$)/

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Whether a file is Markdown, by its name. */
export const isNote = (path: string) => /\.(md|markdown)$/i.test(path)

/**
 * Yields the items of a Markdown file, or of all Markdown files in a folder and its subfolders, ordered by path; skips
 * `node_modules` and hidden files and folders. Each section of a note is an entry whose source is the path of the note,
 * and whose source hash is the SHA-256 of the file.
 */
export async function* readNotes(root: string): AsyncGenerator<Item> {
  if (!(await stat(root)).isDirectory()) return yield readNote(root, basename(root))
  for (const path of await listNotes(root)) yield readNote(path, toSource(root, path))
}

/** A folder of notes: its path with symbolic links resolved, and the sources of all its notes. */
export type NoteFolder = { root: string; notes: ReadonlySet<string> }

export async function readNoteFolder(folder: string): Promise<NoteFolder> {
  return {
    root: await realpath(folder),
    notes: new Set((await listNotes(folder)).map((path) => toSource(folder, path))),
  }
}

const toSource = (root: string, path: string) => relative(root, path).split(sep).join('/')

async function listNotes(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const shown = entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
  const found = await Promise.all(
    shown.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return listNotes(path)
      return entry.isFile() && isNote(entry.name) ? [path] : []
    }),
  )
  return found.flat().sort()
}

async function readNote(path: string, where: string): Promise<Item> {
  try {
    if ((await stat(path)).size > MAX_NOTE_BYTES) return { where, refused: `it is larger than ${MAX_NOTE_BYTES} bytes` }
    return { where, ...toEntries(await readFile(path), where) }
  } catch (error) {
    return {
      where,
      refused:
        error instanceof Refusal
          ? error.message
          : `it cannot be read: ${error instanceof Error ? error.message : error}`,
    }
  }
}

function toEntries(bytes: Uint8Array, path: string): { entries: Entry[]; sections: Section[] } {
  const whole = decode(bytes)
  const { text, fields } = readFrontMatter(whole)
  const { title, workspace, scope, expires_at } = fields
  const source = { source_id: path, source_hash: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') }
  const sections = toSections(text, {
    title: toTitle(title, text, path),
    maxBytes: MAX_CONTENT_BYTES,
    firstLine: 1 + whole.split('\n').length - text.split('\n').length,
  })
  const entries = sections.map(({ content }) => readEntry({ content, workspace, scope, expires_at, ...source }))
  return { entries, sections }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Refusal('it is not UTF-8')
  }
}

function readFrontMatter(text: string): { text: string; fields: Params } {
  const [matter = '', yaml = ''] = FRONT_MATTER.exec(text) ?? []
  try {
    const fields: unknown = parse(yaml)
    return { text: text.slice(matter.length), fields: isObject(fields) ? fields : {} }
  } catch (error) {
    throw new Refusal(`its front matter is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
}

/**
 * The heading above all sections of a note: the title in its front matter, otherwise its file name, unless the text
 * begins with a heading of level 1.
 */
function toTitle(title: unknown, text: string, path: string): string | undefined {
  if (typeof title === 'string' || typeof title === 'number') return String(title).trim()
  return /^\s*# /.test(text) ? undefined : basename(path, extname(path))
}
