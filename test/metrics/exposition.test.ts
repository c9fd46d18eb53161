import { expect, onTestFinished, test } from 'bun:test'
import { createExposition, type GaugeDefinition } from '../../src/metrics/exposition.ts'

/** The lines of gauges with these names, `a` to `z`. */
async function renderGauges(...gauges: Omit<GaugeDefinition, 'help'>[]): Promise<string[]> {
  const exposition = createExposition()
  onTestFinished(exposition.close)
  for (const gauge of gauges) exposition.addGauge({ help: 'of a test', ...gauge })
  return (await exposition.render()).text.split('\n').filter((line) => /^[a-z][{ ]/.test(line))
}

test('a value that is not known, or cannot be read, is left out, and the others are told', async () => {
  const lines = await renderGauges(
    { name: 'a', read: () => 1 },
    { name: 'b', read: () => undefined },
    { name: 'c', read: () => Promise.reject(new Error('no')) },
    {
      name: 'd',
      label: 'kind',
      read: () => {
        throw new Error('no')
      },
    },
    { name: 'e', label: 'kind', read: async () => ({ one: 1, two: 2 }) },
  )
  expect(lines).toEqual(['a 1', 'e{kind="one"} 1', 'e{kind="two"} 2'])
})

test('an error of the storage that is no common code of the system counts as other', async () => {
  const exposition = createExposition()
  onTestFinished(exposition.close)
  for (const code of ['ENOSPC', 'SQLITE_IOERR', 'Error: what somebody wrote', 'ENOSPC"} 9\n'])
    exposition.metrics.storageError(code)
  const lines = (await exposition.render()).text
    .split('\n')
    .filter((line) => line.startsWith('memsvc_storage_errors_total'))
  expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
    'memsvc_storage_errors_total{code="ENOSPC"} 1',
    'memsvc_storage_errors_total{code="other"} 3',
  ])
})
