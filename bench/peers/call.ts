import type { Client } from '@modelcontextprotocol/sdk/client/index.js'

/** A call that takes longer has failed. */
const CALL_TIMEOUT_MS = 10_000

type Result = { isError?: boolean; structuredContent?: unknown; content?: { type: string; text?: string }[] }

/** Calls a tool. Returns the text of its answer. Throws where the tool says that it failed. */
export async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const result = (await client.callTool({ name, arguments: args }, undefined, { timeout: CALL_TIMEOUT_MS })) as Result
  const text = (result.content ?? []).map((block) => block.text ?? '').join('\n')
  if (result.isError) throw new Error(`${name}: ${text.slice(0, 300)}`)
  return text
}

/** As `call`, for tools whose text is JSON. */
export async function callJson<Of>(client: Client, name: string, args: Record<string, unknown>): Promise<Of> {
  return JSON.parse(await call(client, name, args)) as Of
}

/** Whether an answer holds a text, as it stands in JSON. */
export function isIn(answer: string, text: string): boolean {
  return answer.includes(JSON.stringify(text).slice(1, -1))
}
