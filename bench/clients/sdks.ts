import { join } from 'node:path'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Seen, Step } from './scripted-model.ts'

/** What reached a program that makes the calls itself. */
type Received = Omit<Seen, 'first'>

/** A client made with an SDK, which makes the calls itself. */
export type Sdk = {
  id: string
  name: string
  run: (url: string, key: string, steps: Step[], prompts: PromptCall[]) => Promise<Received>
}

/** A prompt of the service with its one argument, and how its text begins. */
export type PromptCall = { name: string; argument: string; value: string; begin: string }

/** What the clients of both lines have in common. A call ends when nothing was heard of it for 60 s. */
export type Connected = {
  /** Tools with all that a model would be told of them. */
  listTools: () => Promise<{ tools: { name: string }[] }>
  /** Undefined where a library has no prompts. */
  getPrompt?: (params: { name: string; arguments: Record<string, string> }) => Promise<{ messages: unknown }>
  callTool: (name: string, args: object) => Promise<unknown>
  close: () => Promise<void>
}

/** In place of the prompts' texts, of a library that has no prompts. */
export const NO_PROMPTS = '(a library without prompts)'

const PATIENCE = { onprogress: () => {}, resetTimeoutOnProgress: true }

async function connect(url: string, key: string): Promise<Connected> {
  const client = new Client({ name: 'bench', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  })
  await client.connect(transport as Parameters<Client['connect']>[0])
  return {
    listTools: () => client.listTools(),
    getPrompt: (params) => client.getPrompt(params),
    callTool: (name, args) => client.callTool({ name, arguments: { ...args } }, undefined, PATIENCE),
    close: () => client.close(),
  }
}

async function connectNew(url: string, key: string): Promise<Connected> {
  const client = new NewClient({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new NewTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }))
  return {
    listTools: () => client.listTools(),
    getPrompt: (params) => client.getPrompt(params),
    callTool: (name, args) => client.callTool({ name, arguments: { ...args } }, PATIENCE),
    close: () => client.close(),
  }
}

export const runSteps =
  (open: (url: string, key: string) => Promise<Connected>) =>
  async (url: string, key: string, steps: Step[], prompts: PromptCall[]): Promise<Received> => {
    const client = await open(url, key)
    const listed = (await client.listTools()).tools
    const tools = listed.map(({ name }) => name)
    const results = new Map<string, string>()
    for (const { cell, tool: pattern, args } of steps) {
      const name = tools.find((one) => pattern.test(one))
      if (name !== undefined) results.set(cell, await client.callTool(name, args).then(JSON.stringify, String))
    }
    const texts = [JSON.stringify(listed)]
    if (client.getPrompt === undefined) texts.push(NO_PROMPTS)
    for (const { name, argument, value } of prompts) {
      const prompt = await client.getPrompt?.({ name, arguments: { [argument]: value } })
      if (prompt !== undefined) texts.push(JSON.stringify(prompt.messages))
    }
    await client.close()
    return { tools, text: texts.join('\n'), results }
  }

/** Python's fastmcp, where an interpreter has it and google-genai; prints how many tools google-genai converts. */
export function toPythonClient(python: string): Sdk {
  return {
    id: 'fastmcp',
    name: 'Python fastmcp',
    run: async (url, key, steps, prompts) => {
      const input = {
        url,
        key,
        prompts,
        steps: steps.map(({ cell, tool, args }) => ({ cell, pattern: tool.source, args })),
      }
      const script = join(import.meta.dir, 'fastmcp_client.py')
      const ran = Bun.spawn([python, script], {
        stdin: new Blob([JSON.stringify(input)]),
        stdout: 'pipe',
        stderr: 'ignore',
      })
      const { tools, text, results, failed } = JSON.parse(await new Response(ran.stdout).text()) as PythonAnswer
      console.log(`google-genai converts ${tools.length - failed.length} of ${tools.length} tools`, ...failed)
      return { tools, text, results: new Map(Object.entries(results)) }
    },
  }
}

type PythonAnswer = { tools: string[]; text: string; results: Record<string, string>; failed: string[] }

export const SDKS: Sdk[] = [
  { id: 'sdk-1', name: 'SDK 1.32.2', run: runSteps(connect) },
  { id: 'sdk-2', name: 'client 2.4.0', run: runSteps(connectNew) },
]
