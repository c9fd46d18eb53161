import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Assistant } from '../../../src/transcripts/format.ts'
import { type HistoryFile, writeHistoryFile } from './history-file.ts'
import { LINE_WRITERS, type LineAssistant } from './lines.ts'
import { toPlace } from './places.ts'
import { createRandom } from './random.ts'
import { createStoredSession, openSessionDatabase, type StoredSession } from './session-database.ts'
import { createWriter, type Line, type Session } from './writer.ts'

/** What the service is to have of a history in the end. */
export type Expected = {
  assistant: Assistant
  sourceKey: string
  cwd: string
  /** The marks of its records: in this order where `isOrdered`, each of them once. */
  marks: string[]
  isOrdered: boolean
  /** The most often that its beginning was changed after it was written. */
  rewrites: number
}

type Options = {
  seed: number
  /** Home folder of the person, an empty one. */
  home: string
  /** Folders in which the sessions are. */
  folders: string[]
  /** A text for each line, such as a secret. */
  plant?: () => string
  /** Time of the first line, in milliseconds since 1970. Later ones are at most 30 seconds apart. */
  startMs?: number
}

const START_MS = Date.UTC(2026, 9, 1)
const MAX_HISTORIES = 25

/**
 * Histories of all assistants in a home folder, which live as real ones do: `act` makes one change (appends, also of
 * parts of lines; cuts back; removes and replaces; forks; moves; compresses; deletes). `expected` is the model of what
 * has to arrive of it. The same seed makes the same changes.
 */
export async function createHistories({ seed, home, folders, plant = () => '', startMs = START_MS }: Options) {
  const random = createRandom(seed)
  const writer = createWriter(random, { plant, startMs })
  const files: HistoryFile[] = []
  const database = openSessionDatabase(join(home, '.local/share/opencode/opencode.db'))
  const stored: StoredSession[] = []

  const living = () => files.filter((file) => !file.isGone())
  const newSession = (parentId?: string): Session => ({
    id: random.uuid(),
    cwd: random.pick(folders),
    ...(parentId && { parentId }),
  })

  async function begin(assistant: LineAssistant, session: Session, copied: Line[] = []): Promise<void> {
    const { file, sourceKey, root } = toPlace(home, assistant, session, new Date(writer.now()))
    if (root !== undefined) await writeNew(root, session.cwd)
    files.push(await writeHistoryFile(writer, { assistant, sourceKey, file, session, copied }))
  }

  /**
   * A new session that begins with the lines of another one: unchanged ones of Claude Code, as `--fork-session` copies
   * them; with new times those of Codex.
   */
  async function fork(): Promise<string> {
    const parent = random.pick(living())
    const session = { id: random.uuid(), cwd: parent.session.cwd }
    if (parent.assistant === 'claude-code')
      await begin(
        parent.assistant,
        session,
        parent.lines().filter(({ text }) => text.includes('"uuid"')),
      )
    if (parent.assistant === 'codex') await begin(parent.assistant, session, parent.lines().slice(1).map(withNewTime))
    return `fork of ${parent.sourceKey}`
  }

  function withNewTime({ text, mark }: Line): Line {
    return { text: text.replace(/"timestamp":"[^"]*"/, `"timestamp":"${new Date(writer.tick()).toISOString()}"`), mark }
  }

  async function beginAny(): Promise<string> {
    const assistant = random.pick(Object.keys(LINE_WRITERS) as LineAssistant[])
    const parent = living().find((file) => file.assistant === assistant && file.session.parentId === undefined)
    const isSubagent =
      parent !== undefined && random.chance(0.3) && (assistant === 'claude-code' || assistant === 'gemini')
    const session = isSubagent
      ? { id: random.uuid(), cwd: parent.session.cwd, parentId: parent.session.id }
      : newSession()
    await begin(assistant, session)
    return `new history of ${assistant}`
  }

  async function changeFile(): Promise<string> {
    const file = random.pick(living())
    const names = [
      'append',
      'append',
      'append',
      'appendPart',
      'appendPart',
      'complete',
      'cutBack',
      'removeLine',
      'replace',
      'delete',
    ] as const
    const name = random.pick(file.assistant === 'codex' ? ([...names, 'archive', 'compress'] as const) : names)
    if (name === 'archive') await file.move(join(home, '.codex/archived_sessions', file.sourceKey))
    else if (name !== 'delete' || random.chance(0.2)) await file[name]()
    return `${name} ${file.sourceKey}`
  }

  function changeStored(): string {
    if (stored.length === 0 || (stored.length < 5 && random.chance(0.1))) {
      const parentId = random.chance(0.2) ? stored[0]?.session.id : undefined
      stored.push(createStoredSession(database, writer, newSession(parentId)))
    }
    const session = random.pick(stored)
    const name =
      session.marks().length === 0
        ? 'append'
        : random.pick(['append', 'append', 'update', 'update', 'delete', 'insertEarlier'] as const)
    session[name]()
    return `${name} ${session.session.id}`
  }

  for (const assistant of Object.keys(LINE_WRITERS) as LineAssistant[]) await begin(assistant, newSession())
  return {
    /** Makes one change, and says which. */
    act: async (): Promise<string> => {
      if (living().length === 0 || (files.length < MAX_HISTORIES && random.chance(0.1))) return beginAny()
      if (files.length < MAX_HISTORIES && random.chance(0.05)) return fork()
      return random.chance(0.25) ? changeStored() : changeFile()
    },
    /** Completes what is written in part. */
    settle: async (): Promise<void> => {
      for (const file of living()) await file.complete()
    },
    /** Milliseconds since 1970: a day after the last line. */
    later: () => writer.now() + 24 * 60 * 60_000,
    /**
     * Puts a link and a file of another kind where histories are; neither is to be read. Returns the marks that they
     * hold.
     */
    plantForeign: async (): Promise<string[]> => {
      const secret = writer.line({ type: 'user', cwd: folders[0] })
      const target = join(home, 'elsewhere.jsonl')
      await writeNew(target, `${secret.text}\n`)
      const { file } = toPlace(home, 'claude-code', newSession(), new Date(writer.now()))
      await mkdir(dirname(file), { recursive: true })
      await symlink(target, file)
      await writeNew(join(dirname(file), 'notes.txt'), `${secret.text}\n`)
      return secret.mark === undefined ? [] : [secret.mark]
    },
    /** Of histories that are there. Those of deleted ones stay at the service as far as they had been uploaded. */
    expected: (): Expected[] => [
      ...living().map((file) => ({
        assistant: file.assistant,
        sourceKey: file.sourceKey,
        cwd: file.session.cwd,
        marks: file.lines().flatMap(({ mark }) => mark ?? []),
        isOrdered: true,
        rewrites: file.rewrites(),
      })),
      ...stored.map((one) => ({
        assistant: 'opencode' as const,
        sourceKey: `opencode.db/${one.session.id}`,
        cwd: one.session.cwd,
        marks: one.marks(),
        isOrdered: false,
        rewrites: Number.POSITIVE_INFINITY,
      })),
    ],
    close: () => database.close(),
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
