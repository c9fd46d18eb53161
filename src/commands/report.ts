import type { Command } from 'commander'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import { type Cli, withService } from './cli.ts'

type CommandDefinition<Options, Value> = {
  /** What the command does with its arguments and options. */
  act: (service: Service, options: Options, ...words: string[]) => Promise<Value>
  /** What a person reads; without the last line's end. */
  toText: (value: Value) => string
  /** Why the command, though it did what it could, is to end with status 1. */
  refusal?: (value: Value) => string | undefined
  /** Whether a new data folder may begin with this command. */
  mayMake?: boolean
}

/** Gives a command its act and the option `--json`, which prints the act's value as one JSON value and nothing else. */
export function defineCommand<Options extends object, Value>(
  cli: Cli,
  command: Command,
  report: CommandDefinition<Options, Value>,
): Command {
  return command.option('--json', 'print one JSON value').action(async (...given: unknown[]) => {
    const words = given.slice(0, -2).flat() as string[]
    const options = given.at(-2) as Options & { json?: boolean }
    const value = await withService(cli, (service) => report.act(service, options, ...words), { mayMake: report.mayMake ?? false })
    const text = options.json ? JSON.stringify(value) : report.toText(value)
    if (text !== '') await cli.out(`${text}\n`)
    const refusal = report.refusal?.(value)
    if (refusal !== undefined) throw new Refusal(refusal)
  })
}
