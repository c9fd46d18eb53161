import { Command, InvalidArgumentError, Option } from 'commander'
import { Refusal, toMessage } from '../errors.ts'
import type { Cli } from './cli.ts'

/** Makes one command of the program. */
export type MakeCommand = (cli: Cli) => Command

/** Loads the module of a command. */
export type Load = () => Promise<MakeCommand>

/** The help of an option, or that with its allowed values, what reads it, its default, and whether it must be given. */
type OptionSpec =
  | string
  | {
      help: string
      choices?: readonly string[]
      parse?: (text: string) => unknown
      default?: unknown
      isRequired?: true
    }

/** Options by their flags in the form of commander, such as `--limit <n>`, `--yes` or `--tool <tool...>`. */
export type OptionSpecs = { readonly [flags: string]: OptionSpec }

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name
type LongName<Flags extends string> = Flags extends `${string}--${infer Name} ${string}`
  ? Name
  : Flags extends `${string}--${infer Name}`
    ? Name
    : never
type NameOf<Flags extends string> =
  LongName<Flags> extends `no-${infer Name}` ? CamelCase<Name> : CamelCase<LongName<Flags>>
type TextOf<Flags extends string> = Flags extends `${string}...>`
  ? string[]
  : Flags extends `${string}<${string}`
    ? string
    : Flags extends `${string}[${string}`
      ? string | true
      : Flags extends `${string}--no-${string}`
        ? boolean
        : true
type ValueOf<Flags extends string, Spec> = Spec extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { parse: (text: string) => infer Value }
    ? Value
    : TextOf<Flags>
type AlwaysThere = { isRequired: true } | { default: unknown }

/** The values of options, by their names. */
export type OptionsOf<Specs> = {
  -readonly [Flags in keyof Specs & string as Specs[Flags] extends AlwaysThere ? NameOf<Flags> : never]: ValueOf<
    Flags,
    Specs[Flags]
  >
} & {
  -readonly [Flags in keyof Specs & string as Specs[Flags] extends AlwaysThere ? never : NameOf<Flags>]?: ValueOf<
    Flags,
    Specs[Flags]
  >
}

/** What a command takes, and how its help describes that. */
export type Usage<Specs extends OptionSpecs> = {
  /** The help of each argument: `<file>`, `[id]`, `<ids...>`. */
  arguments?: Record<string, string>
  options?: Specs
  /** A text below the help. */
  more?: string
}

/** How the result of a command is printed. */
export type Output<Value> = {
  /**
   * The result as text for people, without a line end at the end. With it the command has the option `--json`; without
   * it, `act` prints by itself.
   */
  toText?: (value: Value, cli: Cli) => string
  /** What `--json` prints; the result itself if left out. */
  toJson?: (value: Value) => unknown
  /** What is there although the result could not be printed, where it is shown only once. */
  unprinted?: (value: Value) => string
  /**
   * The message for exit status 1 although the result was printed, or an error with a status of its own; undefined for
   * status 0.
   */
  refusal?: (value: Value) => string | Error | undefined
}

/** A command that does not open the service's data. */
export function localCommand<const Specs extends OptionSpecs, Value>(
  name: string,
  help: string,
  definition: Usage<Specs> & {
    act: (cli: Cli, options: OptionsOf<Specs>, ...args: string[]) => Promise<Value> | Value
  } & Output<Value>,
): MakeCommand {
  return (cli) =>
    toCommand(cli, name, help, definition, (options, args) => definition.act(cli, options as OptionsOf<Specs>, ...args))
}

/** A command that has commands below it. */
export function commandGroup(name: string, help: string, commands: MakeCommand[]): MakeCommand {
  return (cli) => commands.reduce((group, make) => group.addCommand(make(cli)), new Command(name).description(help))
}

/** `run` gets the options and the arguments; those of a list stand one by one. */
export function toCommand<Value>(
  cli: Cli,
  name: string,
  help: string,
  {
    arguments: args = {},
    options = {},
    more,
    toText,
    toJson = (value) => value,
    unprinted,
    refusal,
  }: Usage<OptionSpecs> & Output<Value>,
  run: (options: object, args: string[]) => Promise<Value> | Value,
): Command {
  const command = new Command(name).description(help)
  for (const [form, about] of Object.entries(args)) command.argument(form, about)
  for (const [flags, spec] of Object.entries(options)) command.addOption(toOption(flags, spec))
  if (toText !== undefined) command.option('--json', 'print one JSON value')
  if (more !== undefined) command.addHelpText('after', more)
  return command.action(async (...passed: unknown[]) => {
    const given = passed.at(-2) as { json?: true }
    const { json: _, ...options } = given
    const value = await run(toText === undefined ? given : options, passed.slice(0, -2).flat() as string[])
    if (toText === undefined) return
    // An option of that name is taken by the command above, if it has one too.
    const { json } = command.optsWithGlobals<{ json?: true }>()
    const text = json ? JSON.stringify(toJson(value)) : toText(value, cli)
    try {
      if (text !== '') await cli.out(`${text}\n`)
    } catch (error) {
      throw unprinted === undefined ? error : new Refusal(`${toMessage(error)}; ${unprinted(value)}`)
    }
    const reason = refusal?.(value)
    if (reason !== undefined) throw reason instanceof Error ? reason : new Refusal(reason)
  })
}

function toOption(flags: string, spec: OptionSpec): Option {
  if (typeof spec === 'string') return new Option(flags, spec)
  const { help, choices, parse, default: usual, isRequired = false } = spec
  const option = new Option(flags, help).default(usual).makeOptionMandatory(isRequired)
  if (choices !== undefined) option.choices(choices)
  return parse === undefined ? option : option.argParser(parse)
}

/** The value of an option, by a function that refuses it with a text that begins with `must`. @throws Refusal with its name. */
export function readOption<Value>(name: string, text: string, read: (text: string) => Value): Value {
  try {
    return read(text)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${name} ${error.message}`) : error
  }
}

/** Returns a parser of an option's value: a whole number from `min` to `max`. */
export const readCount =
  (max: number, min = 1) =>
  (text: string) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    return value
  }
