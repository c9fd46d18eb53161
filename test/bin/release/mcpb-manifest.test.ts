import { expect, test } from 'bun:test'
import { toManifest } from '../../../bin/release/mcpb-manifest.ts'
import { LOCAL_COMMANDS } from '../../../src/commands/local.ts'

test.each(['linux', 'darwin', 'win32'] as const)(
  'the bundle for %s starts the agent with the key that Claude Desktop keeps',
  (platform) => {
    const { server, user_config: config, compatibility } = toManifest(platform)
    const { command, args, env } = server.mcp_config
    expect(command).toBe(`\${__dirname}/${server.entry_point}`)
    expect(args.map((name) => LOCAL_COMMANDS.has(name))).toEqual([true])
    expect(env).toEqual({ SVC_API_KEY: `\${user_config.api_key}`, SVC_ENDPOINT: `\${user_config.endpoint}` })
    expect(config.api_key).toMatchObject({ sensitive: true, required: true })
    expect(compatibility.platforms).toEqual([platform])
  },
)
