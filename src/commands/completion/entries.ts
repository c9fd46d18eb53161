import type { Command } from 'commander'

/** A word that may be typed, and what it is for. */
export type Word = { name: string; description: string }

/** An option by its long name. `choices` are all its values where only these may be given, undefined where any may be; a flag takes none. */
export type OptionWord = Word & { takesValue: boolean; choices: string[] | undefined }

/**
 * What may be typed behind one command. `place` is the words from the program's name to it, each with a space before it, so that it is empty for the program itself.
 * `choices` are the values of its arguments where only these may be given; `takesFiles` whether an argument may be any text, such as the name of a file.
 */
export type Entry = { place: string; commands: Word[]; options: OptionWord[]; choices: string[]; takesFiles: boolean }

/** What may be typed behind the program and each of its commands, by their definitions. */
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

/** A text in single quotes, as bash and zsh read it. */
export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
