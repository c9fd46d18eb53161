import { toIsoTimeOrNull } from '../../clock.ts'
import type { HistorySource } from '../../store/history.ts'

/** A session as people and programs see it; times are ISO 8601. */
export type Session = {
  /** Its id in this service. */
  id: string
  assistant: string
  /** Its id in the assistant. */
  session_id: string
  kind: 'main' | 'subagent'
  parent_session_id: string | null
  title: string | null
  cwd: string | null
  git_branch: string | null
  app_version: string | null
  first_at: string | null
  last_at: string | null
  received_at: string | null
  lines: number
  /** When earlier lines of it were erased. */
  erased_at: string | null
}

export function toSession(source: HistorySource): Session {
  return {
    id: source.id,
    assistant: source.assistant,
    session_id: source.sessionId,
    kind: source.kind,
    parent_session_id: source.parentSessionId,
    title: source.title,
    cwd: source.cwd,
    git_branch: source.gitBranch,
    app_version: source.appVersion,
    first_at: toIsoTimeOrNull(source.firstAt),
    last_at: toIsoTimeOrNull(source.lastAt),
    received_at: toIsoTimeOrNull(source.receivedAt),
    lines: source.lines,
    erased_at: toIsoTimeOrNull(source.erasedAt),
  }
}
