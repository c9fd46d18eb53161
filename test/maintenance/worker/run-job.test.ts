import { expect, test } from 'bun:test'
import { runJob } from '../../../src/maintenance/worker/run-job.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'

const toWorker = (source: string) => new URL(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))

test.each([
  ['throws', 'throw new Error("torn")', /^the worker died: .*torn/],
  ['ends without an answer', 'process.exit(0)', /^the worker died: it ended without an answer$/],
])('a job fails when its thread %s', async (_, act, reason) => {
  const { service } = await startService()
  const context = { store: service.store, maintenanceWorker: toWorker(`self.onmessage = () => { ${act} }`) }
  const watch = { isStopped: () => false, onProgress: () => {}, onPart: () => {} }
  expect(
    await rejectionOf(runJob(context, { kind: 'check', location: { dataDir: service.config.dataDir } }, watch)),
  ).toMatch(reason)
})
