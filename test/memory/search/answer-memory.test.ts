import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { startService } from '../../start-service.ts'

const MIB = 2 ** 20
const CONTENT_CHARACTERS = 60_000
const RECORDS = 24

/** Bytes of strings and arrays that are in use. */
function bytesInUse(): number {
  Bun.gc(true)
  return heapStats().extraMemorySize
}

test('answers that are kept hold the passages that they show, not the long contents which those were cut from', async () => {
  const { call } = await startService()
  const rest = 'word '.repeat(CONTENT_CHARACTERS / 5)
  for (let at = 0; at < RECORDS; at++) await call('remember', { content: `the harbour of ${at} ${rest}` })
  const ask = (query: string) => call('search', { query, limit: RECORDS })
  expect((await ask('harbour')).structured?.result).toHaveLength(RECORDS)
  const before = bytesInUse()
  for (let at = 0; at < 20; at++) await ask(`harbour ${at}`)
  expect(bytesInUse() - before).toBeLessThan(8 * MIB)
})
