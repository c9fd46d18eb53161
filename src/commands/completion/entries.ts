import type { Command } from 'commander'

/** A candidate, and its description. */
export type Word = { name: string; description: string }

/** An option by its long name. `choices` are its allowed values, undefined if any are; a flag takes none. */
export type OptionWord = Word & { takesValue: boolean; choices: string[] | undefined }

/**
 * The candidates after one command. `place` is the words from the program's name to the command, each preceded by a space, and empty for the program itself.
 * `choices` are the allowed values of its arguments, if they are restricted; `takesFiles` is whether an argument may be any text, such as a file name.
 */
export type Entry = { place: string; commands: Word[]; options: OptionWord[]; choices: string[]; takesFiles: boolean }

/** The candidates after the program and each of its commands. */
export function toEntries(command: Command, place = ''): Entry[] {
  const help = command.createHelp()
  const known = help.visibleCommands(command)
  const { registeredArguments: args } = command
  const entry = {
    place,
    commands: known.map((one) => ({ name: one.name(), description: one.description() })),
    options: help.visibleOptions(command).flatMap(({ long, description, required, optional, argChoices }) => {
      return long ? [{ name: long, description, takesValue: required || optional, choices: argChoices }] : []
    }),
    choices: args.flatMap(({ argChoices = [] }) => argChoices),
    takesFiles: args.some(({ argChoices }) => argChoices === undefined),
  }
  return [entry, ...command.commands.flatMap((one) => toEntries(one, `${place} ${one.name()}`))]
}

/** Quotes a text for bash and zsh. */
export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
