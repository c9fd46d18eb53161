import type { Credentials } from '../../agent/clients/credentials.ts'
import { createServiceClient, type KeyInfo } from '../../agent/service-client.ts'
import { ServiceError } from '../../errors.ts'

const TIMEOUT_MS = 5_000

/** Whether the service, if it can be reached, rejects the key. */
export async function isRejected(credentials: Credentials): Promise<boolean> {
  const error = await askService(credentials).catch((error: unknown) => error)
  return error instanceof ServiceError && error.code === 'key_rejected'
}

/** A line that says whether the service accepts the key that the client was given. */
export async function checkService(credentials: Credentials): Promise<string> {
  try {
    const { project } = await askService(credentials)
    return `The service answers: project '${project}'.`
  } catch (error) {
    if (error instanceof ServiceError) return `Not yet: ${error.message}`
    throw error
  }
}

function askService({ endpoint, source }: Credentials): Promise<KeyInfo> {
  return createServiceClient({ SVC_API_KEY: source.key, SVC_ENDPOINT: endpoint }).readKeyInfo(TIMEOUT_MS)
}
