import type { Command } from 'commander'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import { type Cli, withService } from './cli.ts'

export type CommandDefinition<Options, Value> = {
  /** Runs the command on an open service, with its options and arguments. */
  act: (service: Service, options: Options, ...args: string[]) => Promise<Value>
  /** What `--json` prints; the value itself if left out. */
  toJson?: (value: Value) => unknown
  /** The value as text for people, without a line end at the end. */
  toText: (value: Value) => string
  /** The message for exit status 1 although the value was printed; undefined for status 0. */
  refusal?: (value: Value) => string | undefined
  /** Whether the command may create a new data folder. */
  mayCreate?: boolean
}

/** Adds the action of a command, and the option `--json`, with which it prints its value as JSON and nothing else. */
export function defineCommand<Options extends object, Value>(
  cli: Cli,
  command: Command,
  { act, toJson = (value) => value, toText, refusal, mayCreate = false }: CommandDefinition<Options, Value>,
): Command {
  return command.option('--json', 'print one JSON value').action(async (...passed: unknown[]) => {
    const args = passed.slice(0, -2).flat() as string[]
    const options = passed.at(-2) as Options & { json?: boolean }
    const value = await withService(cli, (service) => act(service, options, ...args), { mayCreate })
    const text = options.json ? JSON.stringify(toJson(value)) : toText(value)
    if (text !== '') await cli.out(`${text}\n`)
    const reason = refusal?.(value)
    if (reason !== undefined) throw new Refusal(reason)
  })
}
