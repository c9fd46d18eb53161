import type { Peer } from '../peer.ts'
import { AGENTMEMORY } from './agentmemory.ts'
import { CLAUDE_MEM } from './claude-mem.ts'
import { MCP_MEMORY_KEEPER } from './mcp-memory-keeper.ts'
import { MCP_MEMORY_LIBSQL } from './mcp-memory-libsql.ts'
import { EXECUTABLE, toMemsvc } from './memsvc.ts'
import { SERVER_MEMORY } from './server-memory.ts'
import { SQLITE_MEMORY_MCP } from './sqlite-memory-mcp.ts'

export const PEERS: Peer[] = [
  toMemsvc([EXECUTABLE]),
  SERVER_MEMORY,
  CLAUDE_MEM,
  AGENTMEMORY,
  MCP_MEMORY_LIBSQL,
  MCP_MEMORY_KEEPER,
  SQLITE_MEMORY_MCP,
]

/** What was looked at and cannot be measured this way. */
export const LEFT_OUT: { name: string; reason: string }[] = [
  { name: 'mem0ai', reason: 'a library, not a server; it needs a language model and its key' },
  { name: '@allpepper/memory-bank-mcp', reason: 'reads and writes whole files by their names; it has no search' },
  { name: 'basic-memory, mcp-memory-service', reason: 'Python programs, not in the npm registry' },
]
