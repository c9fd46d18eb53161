import { expect, test } from 'bun:test'
import { commandsBeside } from '../command-line.ts'
import { startHistories } from './start-histories.ts'
import { claudeLine } from './upload-client.ts'

test('uploaded histories are never in search, in no workspace and under no filter, nor in its hints and suggestions', async () => {
  const { client, call, post } = await startHistories()
  const head = await client.head()
  await client.append(head, [claudeLine('u1', 'the zanzibarian pelican flies at midnight')])
  await call('remember', { content: 'the heron stands in the pond' })
  const asked = [
    { query: 'zanzibarian pelicna', workspace: '*' },
    { query: 'pelicans flying', workspace: '*' },
    { query: '*', workspace: '*' },
    { query: head.source_id },
    { query: 'one', source_id: 'one' },
    { query: 'midnight heron', exclude_stale: true },
  ]
  // A hint repeats words of the query, so these have none of the history as it stands there.
  for (const args of asked) expect((await call('search', args)).text).not.toMatch(/pelican\b|flies/)
  const { structured } = await call('search', { query: 'pelican' })
  expect(structured?.result).toEqual([])
  const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(JSON.stringify(body)).not.toContain('history')
})

test('they count neither as records nor against the calls', async () => {
  const { client, service, projectId, call } = await startHistories()
  await commandsBeside(service).json('account', 'limits', '--calls-per-key', '3')
  await client.append(await client.head(), [claudeLine('u1', 'the pelican')])
  for (let time = 0; time < 3; time++) await client.head()
  expect(await service.store.project(projectId).readUsage()).toMatchObject({ records: 0, contentBytes: 0 })
  for (let time = 0; time < 3; time++) expect(await call('search', { query: '*' })).toBeToolError(/is not active/)
  expect(await call('search', { query: '*' })).toBeToolError(/^MCP rate limit exceeded/)
})
