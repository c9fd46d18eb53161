import { expect, test } from 'bun:test'
import { chownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openStartedCli } from '../run-cli.ts'

/** Whoever runs the service; nobody, on most systems. */
const SERVICE_UID = 65_534

test.skipIf(process.getuid?.() !== 0)('what commands of root make in the folder of another user belongs to that user', async () => {
  const { folder, json } = await openStartedCli()
  const list = () => ['', ...readdirSync(folder, { recursive: true }).map(String)]
  for (const path of list()) chownSync(join(folder, path), SERVICE_UID, SERVICE_UID)
  const before = list().length
  await json(['project', 'add', 'website'])
  await json(['record', 'save', 'The build runs on port 9090', '--project', 'website'])
  expect(list().length).toBeGreaterThan(before)
  expect(list().filter((path) => lstatSync(join(folder, path)).uid !== SERVICE_UID)).toEqual([])
})
