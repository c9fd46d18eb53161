import { expect, test } from 'bun:test'
import { tryDocuments } from '../../src/oauth/document.ts'
import { startService } from '../start-service.ts'
import { serveDocuments } from './serve-documents.ts'

type Running = Awaited<ReturnType<typeof startService>>

async function isOffered({ url }: Running): Promise<boolean> {
  const response = await fetch(`${url}/.well-known/oauth-authorization-server`)
  const metadata = (await response.json()) as {
    client_id_metadata_document_supported: boolean
    registration_endpoint: string
  }
  expect(metadata.registration_endpoint).toBe(`${url}/oauth/register`)
  return metadata.client_id_metadata_document_supported
}

test('documents are offered once they could be fetched, and no longer when they cannot', async () => {
  const running = await startService({ config: { clientDocuments: 'tried' } })
  const hosts = { status: 200 }
  const served = await serveDocuments(running.service, (_, response) => {
    response.writeHead(hosts.status, { connection: 'close' }).end('{}')
  })
  expect(await isOffered(running)).toBe(false)
  await tryDocuments(running.service)
  expect([await isOffered(running), served.seen.connections]).toEqual([true, 2])
  hosts.status = 403
  await tryDocuments(running.service)
  expect(await isOffered(running)).toBe(false)
  served.server.close()
  await tryDocuments(running.service)
  expect(await isOffered(running)).toBe(false)
})

test.each(['on', 'off'] as const)('where the operator says %s, nothing is tried', async (clientDocuments) => {
  const running = await startService({ config: { clientDocuments } })
  const served = await serveDocuments(running.service, (_, response) => void response.end('{}'))
  await tryDocuments(running.service)
  expect([await isOffered(running), served.seen.connections]).toEqual([clientDocuments === 'on', 0])
})
