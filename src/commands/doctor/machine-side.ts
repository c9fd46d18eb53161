import type { Check } from '../../agent/doctor/check.ts'
import { checkConnection } from '../../agent/doctor/connection.ts'
import { checkHistories } from '../../agent/doctor/histories.ts'
import { checkHooks } from '../../agent/doctor/hooks.ts'
import { checkRegistrations } from '../../agent/doctor/registrations.ts'
import { checkSharedFiles } from '../../agent/doctor/shared-file.ts'
import { checkStateFolder } from '../../agent/doctor/state-folder.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'

/** The checks of a person's machine. */
export async function checkThisMachine(cli: Cli): Promise<Check[]> {
  const { environment, clock } = cli
  const connection = await checkConnection(environment, clock.now)
  const machine = machineOf(cli)
  const histories = await checkHistories(machine, clock.now)
  const clients = [...(await checkRegistrations(machine)), ...(await checkHooks(machine))]
  const shared = await checkSharedFiles(environment.PWD || process.cwd())
  return [...connection, await checkStateFolder(environment), ...histories, ...clients, ...shared]
}
