import { expect, test } from 'bun:test'
import { startService } from '../../start-service.ts'

test('names the verified record that a newer one speaks against, also when the save is tried again', async () => {
  const { call, service, project } = await startService()
  const save = async (content: string) =>
    (await call('remember', { content, fact_key: 'port' })).structured?.result as Record<string, unknown>
  const { id } = await save('The port is 8080')
  await service.store
    .project(project.id)
    .write((tx) => tx.updateRecord(String(id), { status: 'verified', verifiedAt: service.clock.now() }))
  const conflicts_with = [{ id, content: 'The port is 8080' }]
  const newer = await save('The port is 9090')
  expect(newer).toMatchObject({ created: true, superseded: [], conflicts_with })
  expect(await save('The port is 9090')).toMatchObject({ id: newer.id, created: false, superseded: [], conflicts_with })
  const newest = await save('The port is 7070')
  expect(newest).toMatchObject({
    created: true,
    superseded: [{ id: newer.id, content: 'The port is 9090' }],
    conflicts_with,
  })
  expect(await save('The port is 8080')).toMatchObject({ id, status: 'verified', created: false, conflicts_with: [] })
})

test('lists what a correction supersedes with the newest first, on either engine', async () => {
  const { call } = await startService()
  const save = async (content: string, fact_key?: string) => {
    const { structured } = await call('remember', { content, ...(fact_key !== undefined && { fact_key }) })
    return structured?.result as { id: string; fact_key: string; superseded: { content: string }[] }
  }
  // Their first words are alike, and so are the keys that are derived from them.
  const contents = Array.from({ length: 12 }, (_, at) => `The port of the staging database is ${8000 + at}`)
  const keys = new Set<string>()
  for (const content of contents) keys.add((await save(content)).fact_key)
  expect(keys.size).toBe(1)
  const { superseded } = await save('The port is 9090', [...keys][0])
  expect(superseded.map(({ content }) => content)).toEqual(contents.toReversed())
})
