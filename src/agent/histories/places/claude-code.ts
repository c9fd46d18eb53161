import { join } from 'node:path'
import { findFiles, findFolders } from './folder.ts'
import type { Found, Place } from './place.ts'

const SESSION_FILE = /^[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/
const SUBAGENT_FILE = /^agent-[\w-]{1,100}\.jsonl$/
const SESSION_FOLDER = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/**
 * `projects/<folder of the project>/<session>.jsonl`, and the subagents of a session in `<session>/subagents/`. How the folder of a project is named differs between releases, and
 * says nothing certain of where the project is.
 */
export const claudeCode: Place = {
  assistant: 'claude-code',
  find: async function* ({ environment, home }) {
    const root = environment.CLAUDE_CONFIG_DIR || join(home, '.claude')
    for (const project of await findFolders(join(root, 'projects'))) {
      for (const { name, file } of await findFiles(project.file, SESSION_FILE)) {
        yield { file, sourceKey: name, kind: 'main', sessionId: withoutEnding(name) }
      }
      for (const session of await findFolders(project.file, SESSION_FOLDER)) yield* findSubagents(session)
    }
  },
}

async function* findSubagents(session: { name: string; file: string }): AsyncGenerator<Found> {
  for (const { name, file } of await findFiles(join(session.file, 'subagents'), SUBAGENT_FILE)) {
    const sourceKey = `${session.name}/subagents/${name}`
    yield { file, sourceKey, kind: 'subagent', sessionId: withoutEnding(name), parentSessionId: session.name }
  }
}

function withoutEnding(name: string): string {
  return name.slice(0, -'.jsonl'.length)
}
