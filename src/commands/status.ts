import { Command } from 'commander'
import { createServiceClient } from '../agent/service-client.ts'
import type { Cli } from './cli.ts'

const TIMEOUT_MS = 10_000

/** `memsvc status` */
export function statusCommand(cli: Cli): Command {
  return new Command('status').description('ask the service that SVC_ENDPOINT names what it says of the key').action(async () => {
    const info = await createServiceClient(cli.environment).readKeyInfo(TIMEOUT_MS)
    await cli.out(`${JSON.stringify(info)}\n`)
  })
}
