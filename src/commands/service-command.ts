import type { Service } from '../service.ts'
import { withService } from './cli.ts'
import { type MakeCommand, type OptionSpecs, type OptionsOf, type Output, toCommand, type Usage } from './command.ts'

type Definition<Specs extends OptionSpecs, Value> = Usage<Specs> &
  Output<Value> & {
    /** Whether the command may create a new data folder. */
    mayCreate?: boolean
  }

/** A command that acts on the service's data, also while a server runs on it. */
export function serviceCommand<const Specs extends OptionSpecs, Value>(
  name: string,
  help: string,
  definition: Definition<Specs, Value> & {
    act: (service: Service, options: OptionsOf<Specs>, ...args: string[]) => Promise<Value>
  },
): MakeCommand {
  const { act, mayCreate = false } = definition
  return (cli) =>
    toCommand(cli, name, help, definition, (options, args) =>
      withService(cli, (service) => act(service, options as OptionsOf<Specs>, ...args), { mayCreate }),
    )
}

/**
 * What a command acts on: the options that name it, and the argument, if there is one; and how it is found, or refused.
 */
type Subject<Specs extends OptionSpecs, Found> = {
  arguments?: Record<string, string>
  options: Specs
  find: (service: Service, options: OptionsOf<Specs>, ...args: string[]) => Promise<Found>
}

/** Returns a maker of commands that act on a subject. Its argument comes first, and is not passed on. */
export function commandOn<Named extends OptionSpecs, Found>(subject: Subject<Named, Found>) {
  return <const Specs extends OptionSpecs, Value>(
    name: string,
    help: string,
    definition: Definition<Specs, Value> & {
      act: (service: Service, found: Found, options: OptionsOf<Named & Specs>, ...args: string[]) => Promise<Value>
    },
  ): MakeCommand => {
    const options: OptionSpecs = { ...subject.options, ...definition.options }
    const taken = Object.keys(subject.arguments ?? {}).length
    return serviceCommand(name, help, {
      ...definition,
      arguments: { ...subject.arguments, ...definition.arguments },
      options,
      act: async (service, given, ...args) => {
        const found = await subject.find(service, given as OptionsOf<Named>, ...args.slice(0, taken))
        return definition.act(service, found, given as OptionsOf<Named & Specs>, ...args.slice(taken))
      },
    })
  }
}
