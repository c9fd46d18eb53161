import { isOf } from '../../agent/histories/sync/folders.ts'
import { readSyncSettings } from '../../agent/histories/sync/settings.ts'
import { createServiceClient } from '../../agent/service-client.ts'
import { Refusal } from '../../errors.ts'
import { commandGroup, localCommand } from '../command.ts'
import { createHistoryClient } from '../history/service.ts'
import { toTableTime } from '../terminal/text.ts'
import { askTarget, CLIENT } from './context.ts'
import { enableCommand } from './enable.ts'
import { forgetCommand, rescanCommand } from './erase.ts'
import { nowCommand } from './now.ts'
import { previewCommand } from './plan.ts'
import { disableCommand, excludeCommand, pauseCommand, resumeCommand } from './settings.ts'
import { statusCommand } from './status.ts'

const consoleCommand = localCommand(
  'console',
  'print the code that opens your uploaded sessions to your sign-in in the console, once',
  {
    options: CLIENT,
    act: async (cli, options) => {
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
    },
  },
)

/** The upload of this machine's session histories. */
export const syncCommand = commandGroup(
  'sync',
  'upload the session histories of this machine, see the progress, stop and erase',
  [
    statusCommand,
    enableCommand,
    previewCommand,
    pauseCommand,
    resumeCommand,
    nowCommand,
    excludeCommand,
    disableCommand,
    forgetCommand,
    rescanCommand,
    consoleCommand,
  ],
)
