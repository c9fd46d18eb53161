import { expect, test } from 'bun:test'
import { startUpkeep } from '../../../src/account/upkeep.ts'
import { waitUntil } from '../../wait-until.ts'
import { fieldsOf, startTeam } from './team.ts'

type Team = Awaited<ReturnType<typeof startTeam>>

/** Posts an act on many records, and the page after it. */
async function act({ postText, get, at }: Team, fields: Record<string, string>, ids: string[]) {
  const form = new URLSearchParams({ ...fields, back: `${at}/records` })
  for (const id of ids) form.append('id', id)
  const { place } = await postText(`${at}/records/bulk`, `${form}`)
  return { place: place ?? '', page: (await get(place ?? '')).text }
}

const undoOf = ({ at }: Team, page: string) => fieldsOf(page, `${at}/records/bulk`)

test('acts on many records are undone with one click, each record as it was', async () => {
  const team = await startTeam()
  const [one, two] = [await team.save('One', { workspace: 'first' }), await team.save('Two', { workspace: 'second' })]
  const places = async () => {
    const standing = await Promise.all([team.standing(one), team.standing(two)])
    return standing.map((record) => ({ ...record, ...('savedAt' in record && { savedAt: 0 }) }))
  }
  const before = await places()
  for (const fields of [
    { act: 'move', to: 'third' },
    { act: 'verify' },
    { act: 'forget' },
    { act: 'scope', to_scope: 'draft' },
  ]) {
    const { page } = await act(team, fields, [one, two])
    expect(await places()).not.toEqual(before)
    const { place } = await team.post(`${team.at}/records/bulk`, undoOf(team, page.split('</main>')[0] ?? ''))
    expect(place).toContain('n=2')
    expect(await places()).toEqual(before)
    // What undid it can be undone, too.
    expect((await team.get(place ?? '')).text).toContain('>Undo</button>')
  }
})

test('an undo is that of whoever did the act, for ten minutes, and names nothing but what was kept', async () => {
  const team = await startTeam()
  const { at, ben, post, get, service, pass } = team
  const id = await team.save('One')
  const { place, page } = await act(team, { act: 'forget' }, [id])
  const fields = undoOf(team, page)
  expect(fields).toEqual({ undo: expect.any(String), back: `${at}/records` })
  expect((await ben.get(place)).text).not.toContain('>Undo</button>')
  expect((await ben.post(`${at}/records/bulk`, fields)).text).toContain('It can no longer be undone')
  expect((await post(`${at}/records/${id}/restore`, fields)).text).toContain('It can no longer be undone')
  const made = { act: 'return', id, place: '1 a:somebody', back: `${at}/records` }
  expect((await post(`${at}/records/bulk`, made)).text).toContain('Choose what to do with the records')
  pass(600_001)
  expect((await get(place)).text).not.toContain('>Undo</button>')
  expect((await post(`${at}/records/bulk`, fields)).text).toContain('It can no longer be undone')
  const stop = startUpkeep(service, service.clock.now, 1)
  await waitUntil('old undos are erased', async () => (await service.store.control.count('undos', {})) === 0)
  await stop()
})
