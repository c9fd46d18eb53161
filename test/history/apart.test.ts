import { expect, test } from 'bun:test'
import { startHistories } from './start-histories.ts'
import { claudeLine } from './upload-client.ts'

test('uploaded histories are never in search, in no workspace and under no filter, nor in its hints and suggestions', async () => {
  const { client, call, post } = await startHistories()
  const head = await client.head()
  await client.append(head, [claudeLine('u1', 'the zanzibarian pelican flies at midnight')])
  await call('remember', { content: 'the heron stands in the pond' })
  const asked = [
    { query: 'pelican' },
    { query: 'zanzibarian pelicna', workspace: '*' },
    { query: '*', workspace: '*' },
    { query: head.source_id },
    { query: 'one', source_id: 'one' },
    { query: 'midnight heron', exclude_stale: true },
  ]
  for (const args of asked) {
    const { text } = await call('search', args)
    const { hint: _, ...found } = JSON.parse(text)
    expect(JSON.stringify(found)).not.toContain('pelican')
    expect(text).not.toContain('flies')
  }
  const { structured } = await call('search', { query: 'pelican' })
  expect(structured?.result).toEqual([])
  const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(JSON.stringify(body)).not.toContain('history')
})

test('they count neither as records nor against the calls', async () => {
  const { client, service, projectId } = await startHistories()
  await client.append(await client.head(), [claudeLine('u1', 'the pelican')])
  expect(await service.store.project(projectId).readUsage()).toMatchObject({ records: 0, contentBytes: 0 })
})
