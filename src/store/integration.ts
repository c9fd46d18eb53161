/** Another MCP server that an account connects. */
export type Integration = {
  id: string
  accountId: string
  /** Begins the names of its tools; unique in the account. */
  slug: string
  name: string
  url: string
  /** The headers that hold its credential, encrypted. */
  headers: string
  mode: 'read-only' | 'read-write'
  /** Names of the only tools that may be used; null for every tool. */
  tools: string[] | null
  /** The longest a call may take, in milliseconds. */
  timeoutMs: number
  /** The largest answer, in bytes. */
  maxBytes: number
  /** Whether its server keeps state that keys of one project must not share, so that each key has a session of its own. */
  stateful: boolean
  /** When a person last changed what is in force of its tools: a change was accepted, or a test found one. Null when that never was. */
  acceptedAt: number | null
  createdAt: number
}

/** The stored part of a tool of an integration. */
export type UpstreamTool = {
  name: string
  title: string
  description: string
  readOnly: boolean
  /** Whether a call repeats arguments in headers, as its input schema may ask. */
  mirrored: boolean
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
}

/** A tool that the integration's allow-list leaves out. */
export type UnpickedTool = Pick<UpstreamTool, 'name' | 'readOnly'>

export type ToolList = {
  integrationId: string
  /** As they were when its server was last asked, and for how long the answer was to hold. */
  tools: UpstreamTool[]
  /** Tools of its server that were not among them, since the allow-list left them out; of very many the first. */
  unpicked: UnpickedTool[]
  ttlMs: number
  fetchedAt: number
  /** As a person accepted them; at first, as they were first listed. */
  accepted: UpstreamTool[]
  /** How many of `tools` differ from what was accepted, or are not in it. */
  withheld: number
}

export type IntegrationReads = {
  /** Of one account, or of all; by slug. */
  listIntegrations: (accountId?: string) => Promise<Integration[]>
  /** Ids of the projects an integration is enabled for, in no particular order. */
  listEnabledProjects: (integrationId: string) => Promise<string[]>
  /** Integrations enabled for a project, by slug. The engine may answer from memory, never with what was true before the last commit. */
  listEnabledIntegrations: (projectId: string) => Promise<Integration[]>
  findToolList: (integrationId: string) => Promise<ToolList | undefined>
  /** How many tools of each integration are withheld, by its id; those without one are left out. */
  countWithheldTools: (integrationIds: string[]) => Promise<Map<string, number>>
}

export type IntegrationWrites = {
  /** Fails where the account has an integration with this slug. */
  insertIntegration: (integration: Integration) => Promise<void>
  updateIntegration: (id: string, change: Partial<Omit<Integration, 'id' | 'accountId' | 'createdAt'>>) => Promise<void>
  /** Erases it with its list of tools, and disables it for every project. */
  deleteIntegration: (id: string) => Promise<void>
  /** Does nothing where it is enabled already. */
  enableIntegration: (id: string, projectId: string) => Promise<void>
  /** Returns whether it was enabled. */
  disableIntegration: (id: string, projectId: string) => Promise<boolean>
  /** Sets the list of tools, or replaces all of it but what was accepted; does nothing where the integration is gone. */
  saveToolList: (list: ToolList) => Promise<void>
  /** Sets what was accepted of a list, and when. */
  saveAcceptedTools: (list: Pick<ToolList, 'integrationId' | 'accepted' | 'withheld'>, acceptedAt: number) => Promise<void>
}
