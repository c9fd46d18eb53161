import { Command } from 'commander'
import type { Check } from '../../agent/doctor/check.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { countOf } from '../terminal/count-of.ts'

export type DoctorOptions = { project?: string; account?: string; json?: true }

/** `memsvc doctor`: checks this machine's connection and, if the service's data is here, the service. Exit status 1 if there is a problem. */
export function doctorCommand(cli: Cli): Command {
  return new Command('doctor')
    .description('check the connection of this machine and, if its data is here, the service')
    .option('--project <project>', 'check the index of this project only: name or id')
    .option('--account <account>', 'name or id; only needed if several accounts have a project of that name')
    .option('--json', 'print one JSON value')
    .action(async (options: DoctorOptions) => {
      const [{ checkThisMachine }, { checkService }] = await Promise.all([import('./machine-side.ts'), import('./service-side.ts')])
      const checks = [...(await checkThisMachine(cli)), ...(await checkService(cli, options))]
      await cli.out(options.json ? `${JSON.stringify(checks)}\n` : toText(checks))
      const problems = checks.filter(({ state }) => state === 'problem')
      if (problems.length > 0) throw new Refusal(`${countOf(problems.length, 'problem')}: ${problems.map(({ name }) => name).join(', ')}`)
    })
}

function toText(checks: Check[]): string {
  const width = Math.max(...checks.map(({ name }) => Bun.stringWidth(name)))
  const toLine = ({ name, state, detail, advice }: Check) => {
    const lead = `${state.padEnd(8)} ${name}${' '.repeat(width - Bun.stringWidth(name))} `
    return `${lead} ${detail}\n${advice === undefined ? '' : `${' '.repeat(lead.length + 1)}→ ${advice}\n`}`
  }
  const toSide = (side: Check['side']) =>
    checks
      .filter((check) => check.side === side)
      .map(toLine)
      .join('')
  const service = toSide('service')
  return `This machine\n${toSide('client')}${service === '' ? '' : `\nThe service\n${service}`}`
}
