import { join } from 'node:path'
import { findFiles, findFolders } from './folder.ts'
import type { Found, Place } from './place.ts'

const SESSION_FILE = /^[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/
const SUBAGENT_FILE = /^agent-[\w-]{1,100}\.jsonl$/
/** Runs of subagents may be in folders of their own, such as those of a workflow. */
const RUN_FOLDER = /^[\w.-]{1,80}$/
const MAX_DEPTH = 4

const SESSION_FOLDER = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/**
 * `projects/<folder of the project>/<session>.jsonl`, and the subagents of a session in `<session>/subagents/`. The naming of a project's folder differs
 * between releases, and does not reliably tell the project's path.
 */
export const claudeCode: Place = {
  assistant: 'claude-code',
  find: async function* ({ environment, home }) {
    const root = environment.CLAUDE_CONFIG_DIR || join(home, '.claude')
    for (const project of await findFolders(join(root, 'projects'))) {
      for (const { name, file } of await findFiles(project.file, SESSION_FILE)) {
        yield { file, sourceKey: name, kind: 'main', sessionId: withoutEnding(name) }
      }
      for (const { name, file } of await findFolders(project.file, SESSION_FOLDER)) {
        yield* findSubagents(name, join(file, 'subagents'), `${name}/subagents`)
      }
    }
  },
}

async function* findSubagents(parentSessionId: string, folder: string, key: string, depth = 0): AsyncGenerator<Found> {
  for (const { name, file } of await findFiles(folder, SUBAGENT_FILE)) {
    yield { file, sourceKey: `${key}/${name}`, kind: 'subagent', sessionId: withoutEnding(name), parentSessionId }
  }
  if (depth === MAX_DEPTH) return
  for (const { name, file } of await findFolders(folder, RUN_FOLDER))
    yield* findSubagents(parentSessionId, file, `${key}/${name}`, depth + 1)
}

function withoutEnding(name: string): string {
  return name.slice(0, -'.jsonl'.length)
}
