import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginImport, findImport, type ImportRef, receivePart } from '../../../src/memory/imports/receive.ts'
import { checkImport, startImport } from '../../../src/memory/imports/run-import.ts'
import { toActor } from '../../builders/organization.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'
import { waitUntil } from '../../wait-until.ts'

/** An import of a file of this text by the owner, of which nothing has arrived yet. */
async function beginOf(text: string) {
  // By one connection to a database, who asks is looked up in the order in which parts arrive.
  const { service, project, owner, logged } = await startService({ config: { databasePool: 1 } })
  const actor = await toActor(service, owner)
  const bytes = new TextEncoder().encode(text)
  const begin = () =>
    beginImport(service, actor, {
      projectId: project.id,
      fileName: 'notes.jsonl',
      size: bytes.length,
      workspace: undefined,
    })
  const receive = ({ id }: ImportRef, from = 0, to = bytes.length) =>
    receivePart(service, actor, { projectId: project.id, id, offset: from, bytes: bytes.subarray(from, to) })
  const find = () => findImport(service, actor, project.id)
  const reaches = (stage: string) => waitUntil(stage, async () => (await find())?.stage === stage)
  return { service, actor, projectId: project.id, begin, receive, find, reaches, logged }
}

test('a part is answered once it is written, also when it is sent twice, and the next one is written behind it', async () => {
  const { begin, receive, find } = await beginOf('one two')
  const run = await begin()
  // Whoever writes into a pipe waits for somebody who reads from it.
  rmSync(run.path)
  Bun.spawnSync(['mkfifo', run.path])
  const answered: string[] = []
  const all = Promise.all([
    receive(run, 0, 4).then(() => answered.push('first')),
    receive(run, 0, 4).then(() => answered.push('again')),
    receive(run, 4, 7).then(() => answered.push('second')),
  ])
  await find()
  await find()
  const early = [...answered]
  const reader = Bun.spawn(['sh', '-c', 'exec head -c 7 <>"$0"', run.path])
  await all
  expect(early).toEqual([])
  expect(answered).toEqual(['first', 'again', 'second'])
  expect(await new Response(reader.stdout).text()).toBe('one two')
})

test('a part that is not the next one, or more than was announced, is refused', async () => {
  const { service, actor, projectId, begin, receive } = await beginOf('one two')
  const run = await begin()
  await receive(run, 0, 4)
  const notNext = 'this is not the next part of the file; choose the file again'
  expect(await rejectionOf(receive(run, 5, 7))).toBe(notNext)
  const tooMuch = { projectId, id: run.id, offset: 4, bytes: new Uint8Array(4) }
  expect(await rejectionOf(receivePart(service, actor, tooMuch))).toBe(notNext)
  await receive(run, 4, 7)
  expect(await Bun.file(run.path).text()).toBe('one two')
})

test('a file that is asked to be checked twice at once is checked once', async () => {
  const { service, actor, begin, receive, find, reaches } = await beginOf('{"content":"A note"}')
  const run = await begin()
  expect(await rejectionOf(checkImport(service, actor, run))).toBe('the file did not arrive whole; choose it again')
  await receive(run)
  await Promise.all([checkImport(service, actor, run), checkImport(service, actor, run)])
  await reaches('checked')
  expect(await find()).toMatchObject({ read: run.size, counts: { saved: 1 } })
})

test('a file that cannot be read or erased any more ends its import, and nothing else', async () => {
  const { service, actor, begin, receive, find, reaches, logged } = await beginOf('{"content":"A note"}')
  const run = await begin()
  await receive(run)
  await checkImport(service, actor, run)
  await reaches('checked')
  rmSync(run.path)
  mkdirSync(run.path)
  await startImport(service, actor, run)
  await reaches('failed')
  expect((await find())?.failure).toBe('the service could not go on; its log says why')
  expect(logged.join()).toContain('an import failed')
})

test('where the disk takes no file, it is said, and the import is not begun', async () => {
  const { service, begin, find } = await beginOf('{"content":"A note"}')
  writeFileSync(join(service.config.dataDir, 'imports.part'), 'in the way')
  expect(await rejectionOf(begin())).toBe('the file cannot be kept on the disk of the service; nothing was saved')
  expect(await find()).toBeUndefined()
})

test('what is told of a refused line is short, whatever stands in it', async () => {
  const { service, actor, begin, receive, find, reaches } = await beginOf(
    JSON.stringify({ content: 'A note', ['x'.repeat(400_000)]: 1 }),
  )
  const run = await begin()
  await receive(run)
  await checkImport(service, actor, run)
  await reaches('checked')
  const refusals = (await find())?.refusals ?? []
  expect(refusals.map(({ where, reason }) => ({ where, length: reason.length }))).toEqual([
    { where: 'line 1', length: 513 },
  ])
})
