import type { Credentials } from '../../agent/clients/credentials.ts'
import { createServiceClient } from '../../agent/service-client.ts'
import { ServiceError } from '../../errors.ts'

const TIMEOUT_MS = 5_000

/** A line that says whether the service answers to the key that a client was given. */
export async function checkService({ endpoint, source }: Credentials): Promise<string> {
  try {
    const client = createServiceClient({ SVC_API_KEY: source.key, SVC_ENDPOINT: endpoint })
    const { project } = await client.readKeyInfo(TIMEOUT_MS)
    return `The service answers: project '${project}'.`
  } catch (error) {
    if (error instanceof ServiceError) return `Not yet: ${error.message}`
    throw error
  }
}
