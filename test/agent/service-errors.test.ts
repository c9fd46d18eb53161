import { expect, test } from 'bun:test'
import { toServiceError } from '../../src/agent/answer.ts'
import { createServiceClient } from '../../src/agent/service-client.ts'
import { startServer } from '../outbound/start-server.ts'
import { UNKNOWN_KEY } from './start-agent.ts'

test('a certificate that is not valid is told apart from a service that is down, since waiting does not help', async () => {
  const { url } = await startServer(() => {}, { secure: true })
  const client = createServiceClient({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY })
  expect(await client.readKeyInfo(5_000).catch(toServiceError)).toMatchObject({
    code: 'certificate',
    message: expect.stringContaining('No secure connection to the service can be made'),
  })
})
