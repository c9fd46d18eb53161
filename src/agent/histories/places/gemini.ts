import { join } from 'node:path'
import { readSmallFile } from '../readers/history-file.ts'
import type { Machine } from '../source.ts'
import { findFiles, findFolders } from './folder.ts'
import type { Found, Place } from './place.ts'

const SESSION_FILE = /^session-[\w-]{1,100}\.jsonl$/
const SUBAGENT_FILE = /^[\w-]{1,100}\.jsonl$/
const SESSION_FOLDER = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/**
 * `tmp/<project>/chats/session-*.jsonl`, and the subagents of a session in `chats/<session>/`. The project's path is in `.project_root` next to them; for
 * projects without that file (releases before 2026) it is unknown.
 */
export const gemini: Place = {
  assistant: 'gemini',
  find: async function* (machine) {
    for (const project of await findFolders(join(rootOf(machine), 'tmp'))) {
      const cwd = await readSmallFile(join(project.file, '.project_root'))
      if (cwd !== undefined) yield* findChats(join(project.file, 'chats'), project.name, cwd.trim())
    }
  },
}

/** `GEMINI_CLI_HOME` replaces the home folder. */
function rootOf({ environment, home }: Machine): string {
  return join(environment.GEMINI_CLI_HOME || home, '.gemini')
}

async function* findChats(chats: string, project: string, cwd: string): AsyncGenerator<Found> {
  for (const { name, file } of await findFiles(chats, SESSION_FILE)) {
    yield { file, sourceKey: `${project}/${name}`, kind: 'main', cwd }
  }
  for (const session of await findFolders(chats, SESSION_FOLDER)) {
    for (const { name, file } of await findFiles(session.file, SUBAGENT_FILE)) {
      const sessionId = name.slice(0, -'.jsonl'.length)
      yield { file, sourceKey: `${session.name}/${name}`, kind: 'subagent', sessionId, parentSessionId: session.name, cwd }
    }
  }
}
