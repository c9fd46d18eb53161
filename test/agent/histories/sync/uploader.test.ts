import { expect, test } from 'bun:test'
import { openSyncDatabase } from '../../../../src/agent/histories/sync/database.ts'
import { findHolder } from '../../../../src/agent/histories/sync/lease.ts'
import { nameOf } from '../../../../src/agent/histories/sync/target.ts'
import { startUploader } from '../../../../src/agent/histories/sync/uploader.ts'
import { makeStateDir } from '../../start-agent.ts'

test.each([
  ['throws', 'throw new Error("torn")'],
  ['ends without a word', 'process.exit(0)'],
])('an uploading thread that %s is reported, and gives back its lease', async (_, act) => {
  const stateDir = await makeStateDir()
  const database = openSyncDatabase(stateDir, 0)
  const target = { endpoint: 'https://memory.example', projectId: 'one', holderId: 'ada' }
  const failures: (string | undefined)[] = []
  const workerUrl = new URL(
    URL.createObjectURL(new Blob([`self.onmessage = () => { ${act} }`], { type: 'text/javascript' })),
  )
  const machine = { environment: {}, home: stateDir }
  const options = {
    machine,
    workerUrl,
    openDatabase: () => database,
    now: () => 1_000,
    onEnd: (why?: string) => failures.push(why),
  }
  const uploader = startUploader(options, target)
  await uploader?.ended
  expect(failures).toEqual(['The uploading thread broke off.'])
  expect(findHolder(database, nameOf(target), () => 1_000)).toBeUndefined()
  database.close()
})
