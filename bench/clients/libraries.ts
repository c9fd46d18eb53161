import { type Connected, runSteps, type Sdk } from './sdks.ts'

/** Libraries by which programs use MCP servers, installed beside the clients. Their types are not known here. */
const VERSIONS = { aiSdk: '2.0.99', langChain: '1.1.4', agents: '0.20.0' }
export const LIBRARY_PACKAGES = [
  `@ai-sdk/mcp@${VERSIONS.aiSdk}`,
  `@langchain/mcp-adapters@${VERSIONS.langChain}`,
  '@langchain/core@1.4.0',
  `@openai/agents@${VERSIONS.agents}`,
]

type Load = (name: string) => Promise<unknown>
type Open = (load: Load, url: string, headers: Record<string, string>) => Promise<Connected>
type WithPrompts = { getPrompt: NonNullable<Connected['getPrompt']> }
/** A tool that a library has made something callable of. */
type Callable = { name: string; schema: object; invoke: (args: object) => Promise<unknown> }

const openAiSdk: Open = async (load, url, headers) => {
  const { createMCPClient } = (await load('@ai-sdk/mcp')) as { createMCPClient: (options: object) => Promise<unknown> }
  const client = (await createMCPClient({ transport: { type: 'http', url, headers } })) as Connected & {
    tools: () => Promise<Record<string, { execute: (args: object, options: object) => Promise<unknown> }>>
    experimental_getPrompt: WithPrompts['getPrompt']
  }
  const tools = await client.tools()
  return {
    listTools: async () => ({ tools: Object.entries(tools).map(([name, tool]) => ({ name, ...tool })) }),
    callTool: async (name, args) => tools[name]?.execute(args, { toolCallId: 'call', messages: [] }),
    getPrompt: (params) => client.experimental_getPrompt(params),
    close: () => client.close(),
  }
}

const openLangChain: Open = async (load, url, headers) => {
  const { MultiServerMCPClient } = (await load('@langchain/mcp-adapters')) as {
    MultiServerMCPClient: new (
      options: object,
    ) => {
      getTools: () => Promise<Callable[]>
      getClient: (name: string) => Promise<WithPrompts>
      close: () => Promise<void>
    }
  }
  const client = new MultiServerMCPClient({ mcpServers: { memsvc: { transport: 'http', url, headers } } })
  const tools = await client.getTools()
  return {
    listTools: async () => ({ tools: tools.map(({ name, schema }) => ({ name, schema })) }),
    callTool: async (name, args) => tools.find((tool) => tool.name === name)?.invoke(args),
    getPrompt: async (params) => (await client.getClient('memsvc')).getPrompt(params),
    close: () => client.close(),
  }
}

const openAgents: Open = async (load, url, headers) => {
  const { MCPServerStreamableHttp } = (await load('@openai/agents')) as {
    MCPServerStreamableHttp: new (
      options: object,
    ) => {
      connect: () => Promise<void>
      listTools: () => Promise<{ name: string }[]>
      callTool: (name: string, args: object) => Promise<unknown>
      close: () => Promise<void>
    }
  }
  const server = new MCPServerStreamableHttp({ name: 'memsvc', url, requestInit: { headers } })
  await server.connect()
  return {
    listTools: async () => ({ tools: await server.listTools() }),
    callTool: (name, args) => server.callTool(name, args),
    close: () => server.close(),
  }
}

/** The libraries as clients of the bench; `folder` is where they are installed. */
export function toLibraries(folder: string): Sdk[] {
  const load: Load = (name) => import(Bun.resolveSync(name, folder))
  const toSdk = (id: string, name: string, open: Open): Sdk => ({
    id,
    name,
    run: runSteps((url, key) => open(load, url, { Authorization: `Bearer ${key}` })),
  })
  return [
    toSdk('ai-sdk', `AI SDK ${VERSIONS.aiSdk}`, openAiSdk),
    toSdk('langchain', `LangChain ${VERSIONS.langChain}`, openLangChain),
    toSdk('openai-agents', `OpenAI Agents ${VERSIONS.agents}`, openAgents),
  ]
}
