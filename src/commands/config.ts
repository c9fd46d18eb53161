import { listSettings, readConfig } from '../config.ts'
import { localCommand } from './command.ts'
import { gatherSettings } from './settings.ts'
import { toTable } from './terminal/text.ts'

/**
 * The effective settings and the origin of each. Secrets are not shown. Exit status 1, with all errors, if they are
 * invalid.
 */
export const configCommand = localCommand(
  'config',
  'print the settings and where they come from, or everything that is wrong with them',
  {
    options: { '--json': 'print one JSON value' },
    act: async (cli, { json }) => {
      const { texts, origins, faults } = await gatherSettings(cli)
      readConfig(texts, origins, faults)
      const settings = listSettings(texts, origins)
      const rows = settings.map(({ name, value, from }) => [name, value || '-', from])
      await cli.out(`${json ? JSON.stringify(settings, null, 2) : toTable(['SETTING', 'VALUE', 'FROM'], rows, '')}\n`)
    },
  },
)
