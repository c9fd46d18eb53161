import { expect, test } from 'bun:test'
import { startService } from '../../../start-service.ts'

const COUNT = 160

test('others save while a large source is forgotten, and each of its records is forgotten once', async () => {
  const { call } = await startService()
  for (let i = 0; i < COUNT; i++) await call('remember', { content: `pump ${i} was checked`, source_id: 'log' })
  const ends: string[] = []
  const forgetting = [1, 2].map(() => call('forget', { source_id: 'log' }).finally(() => ends.push('forget')))
  await call('remember', { content: 'the well is deep' }).finally(() => ends.push('remember'))
  const forgotten = (await Promise.all(forgetting)).map(
    ({ structured }) => structured?.result as { forgotten: number } | undefined,
  )
  expect(ends).toEqual(['remember', 'forget', 'forget'])
  expect(forgotten.reduce((sum, result) => sum + (result?.forgotten ?? 0), 0)).toBe(COUNT)
  expect(await call('forget', { source_id: 'log' })).toBeToolError("no records of source 'log'")
})

test('forgetting by an id again says that there is no such record, also where nothing was ever saved in the default workspace', async () => {
  const { call } = await startService()
  const { structured } = await call('remember', { content: 'Releases go out on Tuesdays', workspace: 'shop' })
  const { id } = (structured as { result: { id: string } }).result
  expect((await call('forget', { id })).isError).toBeFalsy()
  for (const workspace of [undefined, 'shop'])
    expect(await call('forget', { id, workspace })).toBeToolError(`no record '${id}'`)
  expect(await call('forget', { id, workspace: 'gone' })).toBeToolError("workspace 'gone' is not active")
})
