import { type ToolCall, toText } from './format.ts'
import { parseArguments } from './parse-line.ts'

/** What calls of tools did: the commands that they ran, and the paths of the files that they read or changed. */
export type Actions = { commands: string[]; paths: string[] }

/** Names of arguments, without underscores and in lower case, in the tools of all assistants. */
const COMMAND_NAMES = new Set(['command', 'cmd', 'commands', 'script'])
const PATH_NAMES = new Set(['file', 'filepath', 'path', 'paths', 'notebookpath', 'absolutepath', 'filename', 'files'])
/** Arguments are nested this deep at most, as in `edits: [{ path }]`. */
const MAX_DEPTH = 3
/** Most calls of a line, and values and patched files of one call, that are looked at. */
const MAX_CALLS = 50
const MAX_VALUES = 200

/** How Codex names the files of a patch, which is an argument or a part of a command. */
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.{1,1000})$/gm

export function findActions(calls: ToolCall[]): Actions {
  const found: Actions = { commands: [], paths: [] }
  for (const { input } of calls.slice(0, MAX_CALLS)) {
    let left = MAX_VALUES
    const visit = (value: unknown, name: string, depth: number): void => {
      if (--left < 0) return
      const text = toText(value)
      if (text !== undefined) addText(found, name, text)
      else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
        for (const [key, member] of Object.entries(value)) visit(member, Array.isArray(value) ? name : key, depth + 1)
    }
    visit(parseArguments(input), '', 0)
  }
  return found
}

function addText({ commands, paths }: Actions, name: string, text: string): void {
  const plain = name.replaceAll('_', '').toLowerCase()
  const patched = [...text.matchAll(PATCHED).take(MAX_VALUES)].flatMap(([, path]) => path ?? [])
  paths.push(...patched)
  // A patch is the contents of files.
  if (patched.length > 0) return
  if (COMMAND_NAMES.has(plain)) commands.push(text)
  if (PATH_NAMES.has(plain)) paths.push(text)
}
