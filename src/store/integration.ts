import type { Soon } from '../soon.ts'

/** Another MCP server that an account connects. Times are milliseconds. */
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
  /** The only tools of it that exist for us; every one when null. */
  tools: string[] | null
  /** Time a call may take. */
  timeoutMs: number
  /** The largest answer, in bytes. */
  maxBytes: number
  createdAt: number
}

/** A tool of an integration, as far as it is kept. */
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

/** The tools an integration had when last asked; `ttlMs` is how long that was to hold. */
export type ToolList = { integrationId: string; tools: UpstreamTool[]; ttlMs: number; fetchedAt: number }

export type IntegrationReads = {
  /** Of one account, or of all. */
  listIntegrations: (accountId?: string) => Promise<Integration[]>
  /** Ids of the projects it is enabled for. */
  listEnabledProjects: (integrationId: string) => Promise<string[]>
  /** Those enabled for a project, by slug. Kept in memory until anybody changes an integration or where it is enabled. */
  findEnabled: (projectId: string) => Soon<Integration[] | undefined>
  findToolList: (integrationId: string) => Promise<ToolList | undefined>
}

export type IntegrationWrites = {
  insertIntegration: (integration: Integration) => Promise<void>
  updateIntegration: (id: string, change: Partial<Omit<Integration, 'id' | 'accountId' | 'createdAt'>>) => Promise<void>
  /** With its list of tools, and out of every project. */
  deleteIntegration: (id: string) => Promise<void>
  enableIntegration: (id: string, projectId: string) => Promise<void>
  /** Returns whether it was enabled. */
  disableIntegration: (id: string, projectId: string) => Promise<boolean>
  /** Replaces what was known; nothing happens where the integration is gone. */
  saveToolList: (list: ToolList) => Promise<void>
}
