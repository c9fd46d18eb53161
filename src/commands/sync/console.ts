import { isOf } from '../../agent/histories/sync/folders.ts'
import { readSyncSettings } from '../../agent/histories/sync/settings.ts'
import { createServiceClient } from '../../agent/service-client.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { createHistoryClient } from '../history/service.ts'
import { toTableTime } from '../terminal/text.ts'
import { askTarget } from './context.ts'

/**
 * `memsvc sync console`: prints the code that opens the holder's uploaded sessions to their sign-in. @throws Refusal if
 * nothing is uploaded from here for the holder.
 */
export async function printConsoleCode(cli: Cli, options: { client?: string }): Promise<void> {
  const { environment, info, target } = await askTarget(cli, options)
  const settings = await readSyncSettings(environment)
  if (settings?.folders.some((folder) => isOf(target, folder)) !== true)
    throw new Refusal(
      `nothing is uploaded from here for '${info.holder}' to project '${info.project}'; 'memsvc sync enable' begins it`,
    )
  const { code, expires_at: expiresAt, member } = await createHistoryClient({ environment }).makeConsoleCode()
  const { baseUrl } = createServiceClient(environment)
  await cli.out(`${code}

Enter this code at ${baseUrl}/console/projects/${target.projectId}/sessions before ${toTableTime(expiresAt)} UTC. Whoever is signed in
there as '${member}' then sees the sessions that were uploaded for '${member}'. Give it to nobody.
`)
}
