import { type Form, type Launch, type Remote, SERVER_NAME } from './form.ts'

const toHeaders = (bearer: string) => ({ Authorization: `Bearer ${bearer}` })

/** An entry in the form of most clients. */
const toEntry = ({ command, args, variables }: Launch) => ({ command, args, env: variables })

const toUrlEntry = ({ url, bearer }: Remote) => ({ url, headers: toHeaders(bearer) })

const toTyped = (launch: Launch) => ({ type: 'stdio', ...toEntry(launch) })

const toTypedUrl = (remote: Remote) => ({ type: 'http', ...toUrlEntry(remote) })

const inBraces = (variable: string) => `\${env:${variable}}`

const afterDollar = (variable: string) => `$${variable}`

/** Time that Goose is to allow for one call, in seconds. */
const GOOSE_TIMEOUT_S = 300

const toGoose = { enabled: true, name: SERVER_NAME, timeout: GOOSE_TIMEOUT_S }

/** In the order of `memsvc client list`. What is where on a machine is in `agent/clients/clients.ts`. */
export const FORMS = {
  'claude-code': {
    name: 'Claude Code',
    toolNames: 'dotted',
    format: 'json',
    servers: 'mcpServers',
    reference: (variable) => `\${${variable}}`,
    toStdio: toTyped,
    toHttp: toTypedUrl,
    ownCommands: (url, key) => `claude mcp add --transport http memsvc ${url} --header "Authorization: Bearer ${key}"`,
  },
  codex: {
    name: 'Codex',
    toolNames: 'dotted',
    format: 'toml',
    servers: 'mcp_servers',
    reference: afterDollar,
    // Variables are passed on by name; the reference stands in place of the value.
    toStdio: ({ command, args, variables }) => {
      const { true: passedOn = [], false: own = [] } = Object.groupBy(
        Object.entries(variables),
        ([name, value]) => `${value === afterDollar(name)}`,
      )
      return {
        command,
        args,
        ...(passedOn.length > 0 && { env_vars: passedOn.map(([name]) => name) }),
        ...(own.length > 0 && { env: Object.fromEntries(own) }),
      }
    },
    toHttp: ({ url, bearer }) =>
      bearer === afterDollar('SVC_API_KEY')
        ? { url, bearer_token_env_var: 'SVC_API_KEY' }
        : { url, http_headers: toHeaders(bearer) },
    ownCommands: (url, key) =>
      `export SVC_API_KEY=${key}\ncodex mcp add memsvc --url ${url} --bearer-token-env-var SVC_API_KEY`,
    ownCommandsNote: 'the variable must be set wherever Codex runs',
  },
  cursor: {
    name: 'Cursor',
    toolNames: 'underscored',
    format: 'json',
    servers: 'mcpServers',
    reference: inBraces,
    toStdio: toEntry,
    toHttp: toUrlEntry,
    settings: '~/.cursor/mcp.json',
  },
  vscode: {
    name: 'VS Code',
    toolNames: 'dotted',
    format: 'json',
    servers: 'servers',
    reference: inBraces,
    toStdio: toTyped,
    toHttp: toTypedUrl,
    settings: 'the mcp.json that the command "MCP: Open User Configuration" opens',
  },
  gemini: {
    name: 'Gemini CLI',
    toolNames: 'dotted',
    format: 'json',
    servers: 'mcpServers',
    reference: afterDollar,
    toStdio: toEntry,
    toHttp: ({ url, bearer }) => ({ httpUrl: url, headers: toHeaders(bearer) }),
    ownCommands: (url, key) =>
      `gemini mcp add --scope user --transport http memsvc ${url} --header "Authorization: Bearer ${key}"`,
  },
  opencode: {
    name: 'opencode',
    toolNames: 'dotted',
    format: 'json',
    servers: 'mcp',
    reference: (variable) => `{env:${variable}}`,
    toStdio: ({ command, args, variables }) => ({
      type: 'local',
      command: [command, ...args],
      environment: variables,
      enabled: true,
    }),
    toHttp: (remote) => ({ type: 'remote', ...toUrlEntry(remote), oauth: false, enabled: true }),
    ownCommands: (url, key) => `opencode mcp add memsvc --url ${url} --header "Authorization=Bearer ${key}"`,
  },
  cline: {
    name: 'Cline',
    toolNames: 'dotted',
    format: 'json',
    servers: 'mcpServers',
    toStdio: (launch) => ({ ...toEntry(launch), disabled: false }),
    toHttp: (remote) => ({ type: 'streamableHttp', ...toUrlEntry(remote), disabled: false }),
    ownCommands: (url, key) =>
      `cline mcp add memsvc ${url} --transport http --header "Authorization: Bearer ${key}" --yes`,
  },
  continue: {
    name: 'Continue',
    toolNames: 'underscored',
    format: 'yaml',
    servers: 'mcpServers',
    isList: true,
    toStdio: (launch) => ({ name: SERVER_NAME, ...toTyped(launch) }),
    toHttp: ({ url, bearer }) => ({
      name: SERVER_NAME,
      type: 'streamable-http',
      url,
      requestOptions: { headers: toHeaders(bearer) },
    }),
    settings: '~/.continue/config.yaml',
  },
  windsurf: {
    name: 'Windsurf (Devin Desktop)',
    toolNames: 'underscored',
    format: 'json',
    servers: 'mcpServers',
    reference: inBraces,
    toStdio: toEntry,
    // The older program reads `serverUrl`, the newer one `url`; each ignores the other.
    toHttp: (remote) => ({ serverUrl: remote.url, ...toUrlEntry(remote) }),
    settings: '~/.codeium/windsurf/mcp_config.json or, from Devin Desktop on, ~/.config/devin/mcp_config.json',
  },
  zed: {
    name: 'Zed',
    toolNames: 'underscored',
    format: 'json',
    servers: 'context_servers',
    toStdio: toEntry,
    toHttp: toUrlEntry,
    settings: '~/.config/zed/settings.json',
  },
  'claude-desktop': {
    name: 'Claude Desktop',
    toolNames: 'underscored',
    format: 'json',
    servers: 'mcpServers',
    toStdio: toEntry,
  },
  goose: {
    name: 'Goose',
    toolNames: 'underscored',
    format: 'yaml',
    servers: 'extensions',
    toStdio: ({ command, args, variables }) => ({ ...toGoose, type: 'stdio', cmd: command, args, envs: variables }),
    toHttp: ({ url, bearer }) => ({ ...toGoose, type: 'streamable_http', uri: url, headers: toHeaders(bearer) }),
    settings: '~/.config/goose/config.yaml',
  },
  copilot: {
    name: 'Copilot CLI',
    // Models behind it refuse a whole list in which a name has a dot.
    toolNames: 'underscored',
    format: 'json',
    servers: 'mcpServers',
    toStdio: (launch) => ({ ...toTyped(launch), tools: ['*'] }),
    toHttp: (remote) => ({ ...toTypedUrl(remote), tools: ['*'] }),
    settings: '~/.copilot/mcp-config.json',
  },
  qwen: {
    name: 'Qwen Code',
    // It passes dots on.
    toolNames: 'underscored',
    format: 'json',
    servers: 'mcpServers',
    reference: afterDollar,
    // Without it, its models are told names only and have to search for each tool.
    toStdio: (launch) => ({ ...toEntry(launch), alwaysLoadTools: true }),
    toHttp: ({ url, bearer }) => ({ httpUrl: url, headers: toHeaders(bearer), alwaysLoadTools: true }),
    settings: '~/.qwen/settings.json',
  },
  jetbrains: {
    name: 'JetBrains (Junie)',
    toolNames: 'underscored',
    format: 'json',
    servers: 'mcpServers',
    toStdio: toEntry,
  },
} satisfies Record<string, Form>
