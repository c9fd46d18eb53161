import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { commandsBeside } from '../command-line.ts'
import { startService } from '../start-service.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/credentials.md')).text()

test('every command on the page does what it is asked, and the last shows the policy at first', async () => {
  const { memsvc } = commandsBeside((await startService()).service)
  const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(page) ?? []
  const outs: string[] = []
  for (const line of block.trim().split('\n')) {
    const { status, out } = await memsvc(...line.split(' ').slice(1))
    expect({ line, status }).toEqual({ line, status: 0 })
    outs.push(out.trim())
  }
  expect(outs).toEqual(['mask', 'allow', 'reject', 'reject'])
})

test('the refusal on the page is what an assistant reads, and placeholders on it pass', async () => {
  const { call } = await startService()
  const [, refusal = ''] = /^(Error executing tool remember: .*)$/m.exec(page) ?? []
  const content = `CI pushes with ghp_${'7aB3cD5eF9'.repeat(4).slice(0, 36)}`
  expect(await call('remember', { content })).toBeToolError(refusal.replace('Error executing tool remember: ', ''))
  expect(await call('remember', { content: page.slice(page.indexOf('Placeholders')) })).toMatchObject({
    isError: false,
  })
})
