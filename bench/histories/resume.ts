/** What each says in a session that it resumes. */
export const GO_ON = 'and what now?'

/** By assistant, what resumes a session by its id. */
export const RESUME: Record<string, (id: string) => string[]> = {
  'claude-code': (id) => ['claude', '-p', '--resume', id, GO_ON],
  copilot: (id) => ['copilot', '-p', GO_ON, `--resume=${id}`, '--allow-all-tools'],
  codex: (id) => ['codex', 'exec', '--skip-git-repo-check', 'resume', id, GO_ON],
}
