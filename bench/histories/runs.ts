import type { Program } from '../clients/programs.ts'
import type { Step } from '../clients/scripted-model.ts'

/** One run of an assistant, in the same folder as those before. In its words and steps `WORK` is that folder. */
export type Run = { words: string[]; steps: Step[] }

/** A picture of one pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const step = (tool: RegExp, args: object): Step => ({ cell: `${tool}`, tool, args })

const SHELL = { command: 'echo from the harbour', description: 'Says where it is' }
const TASK = { description: 'Counts the cranes', prompt: 'Count the cranes' }

/**
 * A session with calls, a picture and a subagent; the same session resumed; and, where it can be done from a command
 * line, a fork of it.
 */
export const RUNS: Record<string, Run[]> = {
  'claude-code': [
    {
      words: ['claude', '-p', 'look around', '--allowedTools', 'Bash,Read,Agent'],
      steps: [
        step(/^Bash$/, SHELL),
        step(/^Read$/, { file_path: 'WORK/crane.png' }),
        step(/^Agent$/, { ...TASK, subagent_type: 'general-purpose', run_in_background: false }),
        step(/^Bash$/, { command: 'ls', description: 'Lists' }),
      ],
    },
    { words: ['claude', '-p', '--continue', 'and then?'], steps: [] },
    { words: ['claude', '-p', '--continue', '--fork-session', 'or otherwise?'], steps: [] },
  ],
  codex: [
    {
      words: [
        'codex',
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        '-i',
        'crane.png',
        '--',
        'look around',
      ],
      steps: [step(/^exec_command$/, { cmd: SHELL.command }), step(/spawn_agent$/, { message: TASK.prompt })],
    },
    { words: ['codex', 'exec', '--skip-git-repo-check', 'resume', '--last', 'and then?'], steps: [] },
    {
      words: [
        'sh',
        '-c',
        `codex exec --skip-git-repo-check fork "$(ls -d $HOME/.codex/sessions/*/*/*/* | head -1 | tail -c 43 | head -c 36)" 'or otherwise?'`,
      ],
      steps: [],
    },
  ],
  gemini: [
    {
      words: ['gemini', '-m', 'gemini-2.5-pro', '--yolo', '-p', 'look around'],
      steps: [
        step(/^run_shell_command$/, SHELL),
        step(/^invoke_agent$/, { agent_name: 'generalist', prompt: TASK.prompt }),
        step(/^run_shell_command$/, SHELL),
      ],
    },
    { words: ['gemini', '-m', 'gemini-2.5-pro', '--yolo', '--resume', 'latest', '-p', 'and then?'], steps: [] },
  ],
  opencode: [
    {
      words: ['opencode', 'run', 'look around', '-f', 'crane.png'],
      steps: [step(/^bash$/, SHELL), step(/^task$/, { ...TASK, subagent_type: 'general' }), step(/^bash$/, SHELL)],
    },
    { words: ['opencode', 'run', '--continue', 'and then?'], steps: [] },
    { words: ['opencode', 'run', '--continue', '--fork', 'or otherwise?'], steps: [] },
  ],
  copilot: [
    {
      words: ['copilot', '-p', 'look around', '--allow-all-tools', '--attachment', 'crane.png'],
      steps: [
        step(/^bash$/, SHELL),
        step(/^task$/, { ...TASK, name: 'counter', agent_type: 'general-purpose', mode: 'sync' }),
        step(/^bash$/, SHELL),
      ],
    },
    { words: ['copilot', '-p', 'and then?', '--continue', '--allow-all-tools'], steps: [] },
  ],
}

/** It needs no account where it is given a model of one's own. */
export const COPILOT: Program = {
  clientId: 'copilot',
  name: 'Copilot CLI',
  package: '@github/copilot@1.0.102',
  isSetUpByCommand: false,
  environment: ({ model }) => ({
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_API_KEY: 'not-a-real-key',
    COPILOT_MODEL: 'scripted',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  run: () => ['copilot', '-p', 'go', '--allow-all-tools'],
}
