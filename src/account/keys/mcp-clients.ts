import { Refusal } from '../../errors.ts'
import type { Key } from '../../store/key.ts'

/** A program that speaks MCP and holds a key. */
export type McpClient = {
  id: string
  name: string
  /**
   * How names of integrations' tools are listed for it: `underscored` if it passes dots on to model providers, which reject them, or is not known to replace
   * them.
   */
  toolNames: Key['toolNames']
}

export const MCP_CLIENTS: McpClient[] = [
  { id: 'claude-code', name: 'Claude Code', toolNames: 'dotted' },
  { id: 'codex', name: 'Codex', toolNames: 'dotted' },
  { id: 'cursor', name: 'Cursor', toolNames: 'underscored' },
  { id: 'vscode', name: 'VS Code', toolNames: 'dotted' },
  { id: 'gemini', name: 'Gemini CLI', toolNames: 'dotted' },
  { id: 'opencode', name: 'opencode', toolNames: 'dotted' },
  { id: 'cline', name: 'Cline', toolNames: 'dotted' },
  { id: 'continue', name: 'Continue', toolNames: 'underscored' },
  { id: 'windsurf', name: 'Windsurf', toolNames: 'underscored' },
  { id: 'zed', name: 'Zed', toolNames: 'underscored' },
  { id: 'claude-desktop', name: 'Claude Desktop', toolNames: 'underscored' },
  { id: 'other', name: 'Another one, or an SDK', toolNames: 'underscored' },
]

/** The client of this id. Throws a Refusal that names the ids. */
export function requireMcpClient(id: string): McpClient {
  const found = MCP_CLIENTS.find((client) => client.id === id)
  if (found === undefined) throw new Refusal(`the client must be one of ${MCP_CLIENTS.map((client) => client.id).join(', ')}`, 'client')
  return found
}
