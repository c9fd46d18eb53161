import type { Check } from '../../agent/doctor/check.ts'
import { localCommand } from '../command.ts'
import { findConnection } from '../find-connection.ts'
import { machineOf } from '../machine.ts'
import { countOf } from '../terminal/text.ts'

/**
 * Checks this machine's connection and, if the service's data is here, the service. Exit status 1 if there is a
 * problem.
 */
export const doctorCommand = localCommand(
  'doctor',
  'check the connection of this machine and, if its data is here, the service',
  {
    options: {
      '--project <project>': 'check the index of this project only: name or id',
      '--account <account>': 'name or id; only needed if several accounts have a project of that name',
    },
    act: async (cli, options) => {
      const [{ checkThisMachine }, { checkService }] = await Promise.all([
        import('../../agent/doctor/this-machine.ts'),
        import('./service-side.ts'),
      ])
      return [
        ...(await checkThisMachine(machineOf(cli), await findConnection(cli, {}), cli.clock.now)),
        ...(await checkService(cli, options)),
      ]
    },
    toText,
    refusal: (checks) => {
      const problems = checks.filter(({ state }) => state === 'problem')
      return problems.length > 0
        ? `${countOf(problems.length, 'problem')}: ${problems.map(({ name }) => name).join(', ')}`
        : undefined
    },
  },
)

function toText(checks: Check[]): string {
  const width = Math.max(...checks.map(({ name }) => Bun.stringWidth(name)))
  const toLine = ({ name, state, detail, advice }: Check) => {
    const lead = `${state.padEnd(8)} ${name}${' '.repeat(width - Bun.stringWidth(name))} `
    return [`${lead} ${detail}`, ...(advice === undefined ? [] : [`${' '.repeat(lead.length + 1)}→ ${advice}`])]
  }
  const [client, service] = (['client', 'service'] as const).map((side) =>
    checks.filter((check) => check.side === side).flatMap(toLine),
  )
  return ['This machine', ...(client ?? []), ...(service?.length ? ['', 'The service', ...service] : [])].join('\n')
}
