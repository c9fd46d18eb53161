import { existsSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { Refusal } from '../../../errors.ts'
import type { MoveSource, Part, PartState } from '../../move/tables.ts'
import type { Engine } from '../../shared/engine.ts'
import { createMoveReads } from '../../shared/move.ts'
import { hasData, type ProjectFile, takeServeLock, toControlPath, toProjectPath } from '../data-folder.ts'
import type { SqliteFile } from '../file.ts'
import { openFile } from '../open-file.ts'
import { SQLITE_MOVED } from './moved-tables.ts'

/** Which of a project's files contains each part of its data. */
const FILE_OF: Record<'records' | 'histories', ProjectFile> = { records: 'project', histories: 'history' }

/** The files of a folder; at most one project file is open at a time. */
export type Files = {
  of: (part: Part) => Promise<SqliteFile>
  control: () => Promise<SqliteFile>
  close: () => void
}

/** `mayMake`: missing files are created. `controlPath` differs in a folder whose move is not complete. */
export function createFiles(
  folder: string,
  now: number,
  { mayMake = false, controlPath = toControlPath(folder) } = {},
): Files {
  let control: SqliteFile | undefined
  let opened: { key: string; file: SqliteFile } | undefined
  const openControl = async () => {
    control ??= await openFile(controlPath, 'control', mayMake, now)
    return control
  }
  return {
    control: openControl,
    of: async ({ kind, projectId }) => {
      if (kind === 'control') return openControl()
      const key = `${kind} ${projectId}`
      if (opened?.key !== key) {
        opened?.file.close()
        opened = undefined
        const file = FILE_OF[kind]
        opened = { key, file: await openFile(toProjectPath(folder, projectId, file), file, mayMake, now) }
      }
      return opened.file
    },
    close: () => {
      opened?.file.close()
      control?.close()
      control = undefined
      opened = undefined
    },
  }
}

/**
 * A data folder, which no service can use until it is closed. Its files are migrated when they are opened.
 *
 * @throws Refusal if there is no data, or a service uses it.
 */
export function openFolderSource(folder: string, now: number): MoveSource {
  if (!hasData(folder)) throw new Refusal(`there is no data in '${folder}'`)
  const release = takeServeLock(folder)
  const source = createFolderSource(folder, createFiles(folder, now))
  return {
    ...source,
    close: async () => {
      await source.close()
      release()
    },
  }
}

/** Reads the files of a folder. */
export function createFolderSource(folder: string, files: Files): MoveSource {
  return {
    listParts: async () => {
      const { reader } = await files.control()
      const ids = reader.query<{ id: string }, []>('select id from projects order by rowid').all()
      const kinds = ['records', 'histories'] as const
      const parts = ids.flatMap(({ id: projectId }) => kinds.map((kind): Part => ({ kind, projectId })))
      const kept = parts.filter(
        ({ kind, projectId }) => kind !== 'control' && existsSync(toProjectPath(folder, projectId, FILE_OF[kind])),
      )
      return [...kept, { kind: 'control', projectId: '' }]
    },
    ...createMoveReads({
      tables: SQLITE_MOVED,
      use: async (part, act) => {
        const { connection } = await files.of(part)
        return act({ db: drizzle({ client: connection, casing: 'snake_case' }) as unknown as Engine['db'], own: {} })
      },
      // That in which they were added.
      orderOf: () => [sql`rowid`],
      toValue: (value) => sql`${value}`,
    }),
    readState: async (part) => readState(await files.of(part), part),
    // It holds the lock of a service.
    requireUnused: async () => {},
    close: async () => files.close(),
  }
}

const lastNumber = (table: string) => `coalesce((select seq from sqlite_sequence where name = '${table}'), 0)`

/** The counters of each part. */
const STATES: Record<Part['kind'], string> = {
  control: `select ${lastNumber('audit')} as lastAudit`,
  records: 'select records, content_bytes as contentBytes from usage',
  histories: `select ${lastNumber('blocks')} as lastBlock`,
}

const readState = ({ connection }: SqliteFile, { kind }: Part): PartState =>
  connection.query<PartState, []>(STATES[kind]).get() ?? {}
