import { expect, test } from 'bun:test'
import { chownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from '../is-root.ts'
import { makeFolder, openStartedCli } from '../run-cli.ts'

/** Whoever runs the service; nobody, on most systems. */
const SERVICE_UID = 65_534

/** All that is in a folder, itself included. */
const list = (folder: string) => [
  folder,
  ...readdirSync(folder, { recursive: true }).map((path) => join(folder, path.toString())),
]
const listForeign = (folder: string) => list(folder).filter((path) => lstatSync(path).uid !== SERVICE_UID)

/** The command line of root on the data folder of another user. */
async function openForeign() {
  const cli = await openStartedCli()
  for (const path of list(cli.folder)) chownSync(path, SERVICE_UID, SERVICE_UID)
  return cli
}

test.skipIf(!isRoot)('what commands of root make in the folder of another user belongs to that user', async () => {
  const { folder, json } = await openForeign()
  const before = list(folder).length
  await json(['project', 'add', 'website'])
  await json(['record', 'save', 'The build runs on port 9090', '--project', 'website'])
  expect(list(folder).length).toBeGreaterThan(before)
  expect(listForeign(folder)).toEqual([])
})

test.skipIf(!isRoot)('what root restores into the folder of another user belongs to that user', async () => {
  const { folder, json } = await openForeign()
  const backup = join(await makeFolder(), 'backup.tar.zst')
  await json(['record', 'save', 'The build runs on port 9090', '--project', 'default'])
  await json(['backup', backup, '--without-key'])
  await json(['restore', backup, '--as', 'copy'])
  await json(['record', 'list', '--project', 'copy'])
  expect(listForeign(folder)).toEqual([])

  const empty = await makeFolder()
  chownSync(empty, SERVICE_UID, SERVICE_UID)
  await json(['restore', backup, '--data', empty])
  expect(list(empty).length).toBeGreaterThan(3)
  expect(listForeign(empty)).toEqual([])
})
