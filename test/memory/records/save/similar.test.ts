import { expect, test } from 'bun:test'
import { actingAs } from '../../../../src/account/auth/caller.ts'
import { StorageDown } from '../../../../src/errors.ts'
import type { Similar } from '../../../../src/memory/records/save/similar.ts'
import { rememberAs } from '../../../as-caller.ts'
import { rejectionOf } from '../../../rejection-of.ts'
import { startService } from '../../../start-service.ts'

type Saved = { id: string; superseded: { id: string }[]; similar?: Similar[] }

async function startSaving(others = 0) {
  const running = await startService()
  await Promise.all(
    Array.from({ length: others }, (_, at) =>
      running.call('remember', { content: `filler note number ${at} of many` }),
    ),
  )
  const saverOf =
    (call: typeof running.call) =>
    async (content: string, args: Record<string, unknown> = {}) =>
      (await call('remember', { content, ...args })).structured?.result as Saved
  return { ...running, save: saverOf(running.call), saverOf }
}

for (const others of [0, 100]) {
  test(`a save names what says nearly the same, in any workspace, and nothing where nothing is close, beside ${others} others`, async () => {
    const { save } = await startSaving(others)
    const lost = await save('Lost property goes to the porter at gate 3', { workspace: 'office' })
    expect(lost).not.toHaveProperty('similar')
    expect(await save('Articles appear on Mondays')).not.toHaveProperty('similar')
    const { similar } = await save('Lost property is kept by the porter for a month')
    expect(similar).toEqual([
      { id: lost.id, content: 'Lost property goes to the porter at gate 3', workspace: 'office' },
    ])
  })
}

test('names at most three, cut to 160 characters, none that was superseded or forgotten, and not itself', async () => {
  const { save, call } = await startSaving()
  const text = (at: number) => `The harbour crane number ${at} is painted ${'yellow '.repeat(40)}`
  const ids: string[] = []
  for (let at = 0; at < 5; at++) ids.push((await save(text(at))).id)
  const newest = await save(text(9))
  expect(newest.similar?.map(({ content }) => content.length)).toEqual([160, 160, 160])
  expect((await save(text(9))).similar?.map(({ id }) => id)).not.toContain(newest.id)
  for (const id of [...ids, newest.id]) await call('forget', { id })
  const first = await save(text(1), { fact_key: 'crane' })
  expect(first).not.toHaveProperty('similar')
  const second = await save(text(2), { fact_key: 'crane' })
  expect(second).toMatchObject({ superseded: [{ id: first.id }] })
  expect(second).not.toHaveProperty('similar')
  expect((await save(text(3))).similar?.map(({ id }) => id)).toEqual([second.id])
})

test('a given key that another workspace has too is named, whatever the texts say', async () => {
  const { save } = await startSaving()
  const here = await save('Deploys go to Frankfurt', { fact_key: 'deploy.region', workspace: 'ops' })
  const { similar } = await save('Everything runs in Dublin now', { fact_key: ' Deploy.Region' })
  expect(similar).toEqual([{ id: here.id, content: 'Deploys go to Frankfurt', workspace: 'ops', same_key: true }])
  expect(await save('Nothing of that', { workspace: 'lab' })).not.toHaveProperty('similar')
})

test('names no draft of others', async () => {
  const { save, saverOf, org, as } = await startSaving()
  await save('Lost property goes to the porter at gate 3', { scope: 'draft', fact_key: 'lost' })
  const ben = saverOf(as(await org.keyOf(await org.addMember('Ben'))).call)
  expect(await ben('Lost property goes to the porter at the gate', { fact_key: 'lost' })).not.toHaveProperty('similar')
})

for (const verb of ['findPostings', 'findExcerptsBySeq'] as const)
  test(`where the storage does not answer ${verb}, the save is answered without them; a fault of ours is logged`, async () => {
    const { service, call, logged } = await startSaving()
    await call('remember', { content: 'Lost property goes to the porter at gate 3' })
    const open = service.store.project
    const failWith = (error: Error) => {
      service.store.project = (id) => ({ ...open(id), [verb]: () => Promise.reject(error) })
    }
    const save = (days: number) => call('remember', { content: `Lost property is kept by the porter for ${days} days` })
    failWith(new StorageDown('the storage does not answer', 'ETIMEDOUT'))
    expect((await save(30)).structured?.result).not.toHaveProperty('similar')
    expect(logged.join('')).not.toContain('internal error')
    failWith(new TypeError('a fault of ours'))
    expect(await rejectionOf(save(60))).toContain('Internal error')
    expect(logged.join('')).toContain('TypeError: a fault of ours')
  })

test('what is similar to a save is read at once, however many records its fact key has had', async () => {
  const { service, account, project, owner, pass } = await startSaving()
  const caller = actingAs(account, project, owner)
  for (let at = 0; at < 12; at++) {
    pass(1_000)
    await rememberAs(service, caller, { content: `the version is ${at}`, fact_key: 'version' })
  }
  let reads = 0
  const store = service.store.project(project.id)
  const findExcerptsBySeq = (...asked: Parameters<typeof store.findExcerptsBySeq>) => {
    reads += 1
    return store.findExcerptsBySeq(...asked)
  }
  const watched = { ...service, store: { ...service.store, project: () => ({ ...store, findExcerptsBySeq }) } }
  const elsewhere = { content: 'in this place it is 12', fact_key: 'version', workspace: 'elsewhere' }
  const { similar } = await rememberAs(watched, caller, elsewhere)
  expect(similar?.map(({ content }) => content)).toEqual(['the version is 11'])
  expect(reads).toBe(1)
})
