import { version } from '../../package.json'
import { DEFAULT_ENDPOINT } from '../../src/agent/config.ts'

export type Platform = 'darwin' | 'linux' | 'win32'

/** The path of the executable in a bundle. */
export function toProgram(platform: Platform): string {
  return platform === 'win32' ? 'server/memsvc.exe' : 'server/memsvc'
}

/**
 * What Claude Desktop reads of a bundle: what it starts, and what it asks the person. The key is kept by Claude
 * Desktop, not in a file.
 */
export function toManifest(platform: Platform) {
  const program = toProgram(platform)
  return {
    manifest_version: '0.3',
    name: 'memsvc',
    display_name: 'memsvc',
    version,
    description: 'Memory of a project: saves facts, decisions and notes, and finds them again.',
    author: { name: 'memsvc' },
    license: 'MIT',
    server: {
      type: 'binary',
      entry_point: program,
      mcp_config: {
        command: `\${__dirname}/${program}`,
        args: ['agent'],
        env: { SVC_API_KEY: `\${user_config.api_key}`, SVC_ENDPOINT: `\${user_config.endpoint}` },
      },
    },
    tools: [
      { name: 'remember', description: 'Save a fact, decision or note' },
      { name: 'search', description: 'Find records' },
      { name: 'forget', description: 'Softly delete records' },
      { name: 'validate_memory', description: 'Check whether records are still fresh' },
      { name: 'gateway_call', description: 'Call a tool of a connected integration' },
      { name: 'memsvc_sync_status', description: 'State of the synchronization of session histories' },
    ],
    tools_generated: true,
    compatibility: { platforms: [platform] },
    user_config: {
      api_key: {
        type: 'string',
        title: 'Key',
        description: 'Issued in the console of the service; it begins with svc_',
        sensitive: true,
        required: true,
      },
      endpoint: {
        type: 'string',
        title: 'Service',
        description: 'Its address',
        default: DEFAULT_ENDPOINT,
        required: false,
      },
    },
  }
}
