import { expect, onTestFinished, test } from 'bun:test'
import { openCli } from '../run-cli.ts'

test('refuses a port that another program has, and makes no account whose key nobody would see', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, reusePort: true, fetch: () => new Response() })
  onTestFinished(() => other.stop(true))
  const cli = await openCli({ environment: { SVC_PORT: String(other.port) } })
  const { status, out, err } = await cli.run(['serve'])
  expect({ status, out, err }).toEqual({
    status: 1,
    out: '',
    err: `memsvc: cannot listen on 127.0.0.1:${other.port}; another program may have that port: set SVC_PORT to a free one\n`,
  })
  expect(await cli.json(['account', 'list'])).toEqual([])
})
