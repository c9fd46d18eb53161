import { type Dirent, readdirSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import type { Assistant } from '../../transcripts/format.ts'
import { claudeFolder, codexFolder, copilotFolder, geminiFolder } from '../clients/machine.ts'
import { readSmallFile } from './readers/history-file.ts'
import type { HistorySource, Machine } from './source.ts'

/** A file that may contain a history, as far as its name tells. */
type Found = Pick<HistorySource, 'file' | 'sourceKey' | 'kind' | 'parentSessionId'> & {
  /** Absent if the name does not contain it; the lines do. */
  sessionId?: string
  /** The session's folder, for assistants whose histories do not contain it. */
  cwd?: string
}

/** A folder with histories; of some assistants, those of one project with its name and path. */
type Root = { folder: string; project?: string; cwd?: string }

/** The locations of an assistant's histories. */
export type Place = {
  assistant: Assistant
  /** None if the assistant is configured to keep no histories. */
  roots: (machine: Machine) => Promise<Root[]>
  /** The subfolders that are entered, by their paths below a root. */
  folders: RegExp
  /**
   * The files, by their paths below a root. Groups: `key` is the `sourceKey`; or `name`, which is one after the name of
   * the project. `session` is its id, and `parent` the session of a subagent.
   */
  files: RegExp[]
}

const UUID = '[0-9a-f]{8}-[0-9a-f-]{27}'
/** Runs of subagents may be in folders of their own, such as those of a workflow. */
const RUNS = String.raw`(?:/[\w.-]{1,80}){0,4}`

export const PLACES: Place[] = [
  {
    // The naming of a project's folder differs between releases, and does not reliably tell the project's path.
    assistant: 'claude-code',
    roots: async (machine) => [{ folder: join(claudeFolder(machine), 'projects') }],
    folders: new RegExp(`^[^/]+(?:/${UUID}(?:/subagents${RUNS})?)?$`),
    files: [
      new RegExp(`^[^/]+/(?<key>(?<session>${UUID})\\.jsonl)$`),
      new RegExp(`^[^/]+/(?<key>(?<parent>${UUID})/subagents${RUNS}/(?<session>agent-[\\w-]{1,100})\\.jsonl)$`),
    ],
  },
  {
    // The file name does not change when a history is archived; old ones may be compressed.
    assistant: 'codex',
    roots: async (machine) => {
      const folder = codexFolder(machine)
      return (await keepsNoHistory(folder)) ? [] : [{ folder }]
    },
    folders: /^(?:archived_sessions|sessions(?:\/\d{2,4}){0,3})$/,
    files: [
      new RegExp(
        `^(?:archived_sessions|sessions(?:/\\d{2,4}){3})/(?<key>rollout-[\\dT-]{19}-(?<session>${UUID})\\.jsonl)(?:\\.zst)?$`,
      ),
    ],
  },
  {
    assistant: 'gemini',
    roots: async (machine) => findGeminiProjects(join(geminiFolder(machine), 'tmp')),
    folders: new RegExp(`^${UUID}$`),
    files: [
      /^(?<name>session-[\w-]{1,100}\.jsonl)$/,
      new RegExp(`^(?<key>(?<parent>${UUID})/(?<session>[\\w-]{1,100})\\.jsonl)$`),
    ],
  },
  {
    // The events of subagents are among those of their session.
    assistant: 'copilot',
    roots: async (machine) => [{ folder: join(copilotFolder(machine), 'session-state') }],
    folders: new RegExp(`^${UUID}$`),
    files: [new RegExp(`^(?<key>(?<session>${UUID})/events\\.jsonl)$`)],
  },
]

/** `history.persistence = "none"`: the user wants no histories kept, so none are uploaded. */
async function keepsNoHistory(folder: string): Promise<boolean> {
  try {
    const settings = Bun.TOML.parse((await readSmallFile(join(folder, 'config.toml'))) ?? '') as {
      history?: { persistence?: unknown }
    }
    return settings.history?.persistence === 'none'
  } catch {
    return false
  }
}

/** A project's path is in `.project_root`; of projects without that file (releases before 2026) it is unknown. */
async function findGeminiProjects(folder: string): Promise<Root[]> {
  const projects = readEntries(folder).filter((entry) => entry.isDirectory())
  const roots = projects.map(async ({ name: project }): Promise<Root[]> => {
    const cwd = (await readSmallFile(join(folder, project, '.project_root')))?.trim()
    return cwd === undefined ? [] : [{ folder: join(folder, project, 'chats'), project, cwd }]
  })
  return (await Promise.all(roots)).flat()
}

/** A folder that is not absolute is none: whether it is uploaded would depend on where this process runs. */
export const toCwd = (cwd: string | undefined) => (cwd !== undefined && isAbsolute(cwd) ? cwd : null)

/** A file below a root, by its path there. */
export type HistoryFile = { file: string; root: Root; path: string }

/** The files below an assistant's roots, also those that are no histories; none if it is not installed. */
export async function listFiles({ roots, folders }: Place, machine: Machine): Promise<HistoryFile[]> {
  const files: HistoryFile[] = []
  for (const root of await roots(machine))
    for (const path of walk(root.folder, folders)) files.push({ file: root.folder + sep + path, root, path })
  return files
}

/** What the path of a file says of the history in it; undefined if it has none. A history may be in several files. */
export function toFound({ files }: Place, { file, root, path }: HistoryFile): Found | undefined {
  const form = files.find((one) => one.test(path))
  if (form === undefined) return undefined
  const { key, name, session, parent } = form.exec(path)?.groups ?? {}
  return {
    file,
    sourceKey: key ?? `${root.project}/${name}`,
    kind: parent === undefined ? 'main' : 'subagent',
    ...(session !== undefined && { sessionId: session }),
    ...(parent !== undefined && { parentSessionId: parent }),
    ...(root.cwd !== undefined && { cwd: root.cwd }),
  }
}

/**
 * Paths below a folder of its regular files, then of those in the subfolders that match. Symbolic links are skipped,
 * since they could lead anywhere. Synchronous, as thousands of files are looked at every half minute.
 */
export function* walk(folder: string, folders: RegExp, path = ''): Generator<string> {
  const entries = readEntries(join(folder, path))
  for (const entry of entries) if (entry.isFile()) yield path + entry.name
  for (const entry of entries)
    if (entry.isDirectory() && folders.test(path + entry.name)) yield* walk(folder, folders, `${path}${entry.name}/`)
}

/** Maximum number of entries of a folder that are read. */
const MAX_ENTRIES = 100_000

/** The entries of a folder, sorted by name; none of one that cannot be read. */
function readEntries(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.slice(0, MAX_ENTRIES).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
