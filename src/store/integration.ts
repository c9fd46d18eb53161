/** Another MCP server that an account connects. */
export type Integration = {
  id: string
  accountId: string
  /** Prefix of its tools' names; unique in the account. */
  slug: string
  name: string
  url: string
  /** The headers that hold its credential, encrypted. */
  headers: string
  mode: 'read-only' | 'read-write'
  /** Names of the only tools that may be used; null for every tool. */
  tools: string[] | null
  /** Time limit of a call, in milliseconds. */
  timeoutMs: number
  /** Maximum size of an answer, in bytes. */
  maxBytes: number
  /**
   * Whether its server keeps state that keys of one project must not share, so that each key has a session of its own.
   */
  stateful: boolean
  /**
   * When the tools in force last changed, because a person accepted a change or a test found one; null if they never
   * did.
   */
  acceptedAt: number | null
  createdAt: number
}

/** What is stored about a tool of an integration. */
export type UpstreamTool = {
  name: string
  title: string
  description: string
  readOnly: boolean
  /** Whether calls repeat some arguments in HTTP headers, as its input schema may ask. */
  mirrored: boolean
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
}

/** A tool that the integration's allow-list leaves out. */
export type UnpickedTool = Pick<UpstreamTool, 'name' | 'readOnly'>

export type ToolList = {
  integrationId: string
  /** The tools when its server was last asked, and how long that answer was valid. */
  tools: UpstreamTool[]
  /** Tools of its server that the allow-list excludes; only the first if there are very many. */
  unpicked: UnpickedTool[]
  ttlMs: number
  fetchedAt: number
  /** The tools as a person accepted them; initially, as they were first listed. */
  accepted: UpstreamTool[]
  /** Number of `tools` that differ from `accepted`, or are not in it. */
  withheld: number
}

export type IntegrationReads = {
  /**
   * Integrations enabled for a project, by slug. The engine may answer from memory, never with what was true before the
   * last commit.
   */
  listEnabledIntegrations: (projectId: string) => Promise<Integration[]>
  /** How many tools of each integration are withheld, by its id; those without one are left out. */
  countWithheldTools: (integrationIds: string[]) => Promise<Map<string, number>>
}
