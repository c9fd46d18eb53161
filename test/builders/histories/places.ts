import { join } from 'node:path'
import type { LineAssistant } from './lines.ts'
import type { Session } from './writer.ts'

/** `root` is the file beside the history that says where its project is, of an assistant that has one. */
type Placed = { file: string; sourceKey: string; root?: string }

/** Where an assistant writes the history of a session that began at that time. */
export function toPlace(home: string, assistant: LineAssistant, session: Session, at: Date): Placed {
  return PLACES[assistant](home, session, at)
}

const PLACES: Record<LineAssistant, (home: string, session: Session, at: Date) => Placed> = {
  'claude-code': (home, { id, cwd, parentId }) => {
    const sourceKey = parentId === undefined ? `${id}.jsonl` : `${parentId}/subagents/agent-${id}.jsonl`
    return { file: join(home, '.claude/projects', toSlug(cwd), sourceKey), sourceKey }
  },
  codex: (home, { id }, at) => {
    const time = at.toISOString()
    const sourceKey = `rollout-${time.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`
    return { file: join(home, '.codex/sessions', time.slice(0, 10).replaceAll('-', '/'), sourceKey), sourceKey }
  },
  gemini: (home, { id, cwd, parentId }, at) => {
    const project = toSlug(cwd)
    const name =
      parentId === undefined
        ? `session-${at.toISOString().slice(0, 16).replaceAll(':', '-')}-${id.slice(0, 8)}.jsonl`
        : `${id}.jsonl`
    const folder = join(home, '.gemini/tmp', project)
    const file = join(folder, 'chats', parentId ?? '', name)
    return { file, sourceKey: `${parentId ?? project}/${name}`, root: join(folder, '.project_root') }
  },
  copilot: (home, { id }) => ({
    file: join(home, '.copilot/session-state', id, 'events.jsonl'),
    sourceKey: `${id}/events.jsonl`,
  }),
}

function toSlug(folder: string): string {
  return folder.replaceAll(/[^A-Za-z0-9-]/g, '-')
}
