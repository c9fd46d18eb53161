/** How a client starts the local agent. */
export type Launch = { command: string; args: string[]; variables: Record<string, string> }

/** How a client connects to the service directly. */
export type Remote = {
  /** Ends with `/mcp`. */
  url: string
  /**
   * The value of the header `Authorization` after `Bearer `: a key, or the client's reference to the variable that
   * holds it.
   */
  bearer: string
}

/** A program that speaks MCP and holds a key, and the form of a server's entry in its settings. */
export type Form = {
  name: string
  /**
   * How names of integrations' tools are listed for it: `underscored` if it passes dots on to model providers, which
   * reject them, or is not known to replace them.
   */
  toolNames: 'dotted' | 'underscored'
  format: 'json' | 'toml' | 'yaml'
  /**
   * The member of its settings that contains all servers by name or, with `isList`, as a list of entries with names.
   */
  servers: string
  isList?: true
  /**
   * How its settings refer to a variable of its environment. Absent if they cannot, so that keys are stored in the
   * settings themselves.
   */
  reference?: (variable: string) => string
  toStdio: (launch: Launch) => Record<string, unknown>
  /** Absent if the client supports only servers on standard input and output. */
  toHttp?: (remote: Remote) => Record<string, unknown>
  /** Where a person finds its settings file. */
  settings?: string
  /** Commands of its own that connect it, and what a person who types them should know. */
  ownCommands?: (url: string, key: string) => string
  ownCommandsNote?: string
}

/** The name of the server in clients' settings. */
export const SERVER_NAME = 'memsvc'
