import { expect, test } from 'bun:test'
import type { HistorySource } from '../../../../src/agent/histories/source.ts'
import { withSubagents } from '../../../../src/agent/histories/sync/folders.ts'

const toSource = (sessionId: string, kind: 'main' | 'subagent', parentSessionId?: string) =>
  ({ assistant: 'codex', sessionId, kind, parentSessionId }) as HistorySource

test('with a session its subagents are excluded, and theirs, in whatever order they are found; a fork is another session', () => {
  const sources = [
    toSource('grandchild', 'subagent', 'child'),
    toSource('child', 'subagent', 'root'),
    toSource('root', 'main'),
    toSource('fork', 'main', 'root'),
    toSource('other', 'subagent', 'elsewhere'),
    toSource('lost', 'subagent'),
  ]
  const settings = { device: 'd', isPaused: false, folders: [], excluded: ['/home/ada/private', 'session:root'] }
  expect(withSubagents(settings, sources).excluded).toEqual([
    '/home/ada/private',
    'session:root',
    'session:child',
    'session:grandchild',
  ])
})
