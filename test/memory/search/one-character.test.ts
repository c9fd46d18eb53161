import { expect, test } from 'bun:test'
import { startService } from '../../start-service.ts'

const NOTES = ['泉水', '水杯很大', '我要喝水了']

for (const [size, others] of [
  ['held in memory', 0],
  ['asked through its index', 100],
] as const) {
  test(`one Han character finds texts that begin with it, end with it or have it between, in a project ${size}`, async () => {
    const { call } = await startService()
    for (let at = 0; at < others; at++) await call('remember', { content: `note ${at} about the weather` })
    for (const content of NOTES) await call('remember', { content })
    const { structured = {} } = await call('search', { query: '水' })
    expect((structured.result as { content: string }[]).map(({ content }) => content).sort()).toEqual([...NOTES].sort())
  })
}
