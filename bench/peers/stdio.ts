import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Place, Running } from './peer.ts'

type Command = { command: string; args: string[]; env?: Record<string, string> }

/**
 * Assistants of a server that speaks over standard input and output: each starts a process of its own, as assistants
 * do.
 */
export function openStdio(
  place: Place,
  { command, args, env = {} }: Command,
): Pick<Running, 'connect' | 'pids' | 'stop'> {
  const open = new Map<Client, StdioClientTransport>()
  return {
    connect: async () => {
      const transport = new StdioClientTransport({
        command,
        args,
        env: toEnvironment(place, env),
        cwd: place.home,
        stderr: 'ignore',
      })
      const client = new Client({ name: 'bench', version: '1' })
      client.onclose = () => void open.delete(client)
      open.set(client, transport)
      await client.connect(transport)
      return client
    },
    pids: () => [...open.values()].flatMap(({ pid }) => pid ?? []),
    stop: async () => {
      await Promise.all([...open.keys()].map((client) => client.close()))
    },
  }
}

/** An environment in which nothing of the person's own settings and data is found. */
export function toEnvironment({ home }: Place, more: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, DO_NOT_TRACK: '1', ...more }
}
