import { Refusal } from './errors.ts'
import type { Form } from './mcp-clients/form.ts'
import { FORMS } from './mcp-clients/forms.ts'

export type McpClientId = keyof typeof FORMS

/** A client by its name on the command line. */
export type McpClient = Form & { id: McpClientId }

/**
 * Every client that is known: `memsvc client`, the console, `memsvc key issue --client` and `memsvc doctor` know these.
 */
export const MCP_CLIENTS: McpClient[] = Object.entries<Form>(FORMS).map(([id, form]) => ({
  id: id as McpClientId,
  ...form,
}))

/** What a key is issued for: a client, or a program that is not known. */
export type KeyHolder = { id: string; name: string; toolNames: Form['toolNames'] }

/** A program that is not known, in a list of clients. */
export const OTHER_CLIENT: KeyHolder = { id: 'other', name: 'Another one, or an SDK', toolNames: 'underscored' }

export const KEY_HOLDERS: KeyHolder[] = [...MCP_CLIENTS, OTHER_CLIENT]

/** @throws Refusal that names the ids. */
export function requireKeyHolder(id: string): KeyHolder {
  const found = KEY_HOLDERS.find((client) => client.id === id)
  if (found === undefined)
    throw new Refusal(`the client must be one of ${KEY_HOLDERS.map((client) => client.id).join(', ')}`, 'client')
  return found
}
