import { expect } from 'bun:test'

/** The tools of the service for a key without integrations. */
export const NAMES = ['remember', 'search', 'forget', 'validate_memory', 'gateway_call']

/** The calls that the clients below have in common. Both validate results against the published schemas. */
export type Connected = {
  listTools: () => Promise<{ tools: { name: string }[] }>
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<Record<string, unknown>>
  getPrompt: (params: { name: string; arguments: Record<string, string> }) => Promise<{ messages: unknown[] }>
  close: () => Promise<void>
}

/**
 * Lists the tools, saves, finds, checks, forgets, gets a prompt, leaves arguments out as null, and is refused. Closes
 * the connection.
 */
export async function expectUsable(client: Connected, names: string[]): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(names)
  const source = { source_id: 'docs/build.md', source_hash: 'a1' }
  const saved = await client.callTool({ name: 'remember', arguments: { content: 'The build runs on Bun', ...source } })
  const { id } = (saved.structuredContent as { result: { id: string } }).result
  const found = await client.callTool({ name: 'search', arguments: { query: 'what does the build run on' } })
  expect(found.structuredContent).toMatchObject({ result: [{ id, content: 'The build runs on Bun' }] })
  const checked = await client.callTool({ name: 'validate_memory', arguments: { source_id: 'docs/build.md' } })
  expect(checked.structuredContent).toMatchObject({ result: { fresh: 1 } })
  await client.callTool({ name: 'forget', arguments: { id } })
  expect((await client.callTool({ name: 'search', arguments: { query: 'build' } })).structuredContent).toMatchObject({
    result: [],
    hint: {},
  })
  const { messages } = await client.getPrompt({ name: 'recall', arguments: { topic: 'the build' } })
  expect(JSON.stringify(messages)).toContain('What do we know about this: the build')
  const leftOut = { limit: null, workspace: null, scope: null, exclude_stale: null }
  expect(await client.callTool({ name: 'search', arguments: { query: 'build', ...leftOut } })).not.toHaveProperty(
    'isError',
    true,
  )
  const refused = await client.callTool({ name: 'search', arguments: { query: 'x', limit: 0 } })
  expect(refused).toMatchObject({
    isError: true,
    content: [{ text: 'Error executing tool search: limit must be at least 1' }],
  })
  await client.close()
}
