import { join } from 'node:path'
import { findFiles, findFolders } from './folder.ts'
import type { Place } from './place.ts'

const SESSION = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** `session-state/<session>/events.jsonl`. The events of subagents are among those of their session. */
export const copilot: Place = {
  assistant: 'copilot',
  find: async function* ({ environment, home }) {
    const root = environment.COPILOT_HOME || join(home, '.copilot')
    for (const session of await findFolders(join(root, 'session-state'), SESSION)) {
      for (const { name, file } of await findFiles(session.file, /^events\.jsonl$/)) {
        yield { file, sourceKey: `${session.name}/${name}`, kind: 'main', sessionId: session.name }
      }
    }
  },
}
