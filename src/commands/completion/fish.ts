import type { Entry, OptionWord } from './entries.ts'

/** A fish script that completes the program's command lines. */
export function toFish(program: string, entries: Entry[]): string {
  const places = entries.slice(1).map(({ place }) => quote(place))
  return `# fish completion for ${program}: ${program} completion fish | source
function __${program}_at
    set -l place ''
    for word in (commandline -opc)[2..]
        contains -- "$place $word" ${places.join(' ')}; and set place "$place $word"
    end
    test "$place" = "$argv[1]"
end
complete -c ${program} -e
${entries.flatMap((entry) => toLines(program, entry)).join('\n')}
`
}

function toLines(program: string, { place, commands, options, choices, takesFiles }: Entry): string[] {
  const start = `complete -c ${program} -n ${quote(`__${program}_at ${quote(place)}`)}`
  return [
    ...(takesFiles ? [] : [`${start} -f`]),
    ...commands.map(({ name, description }) => `${start} -a ${quote(name)} -d ${quote(description)}`),
    ...(choices.length > 0 ? [`${start} -a ${quote(choices.join(' '))}`] : []),
    ...options.map((option) => `${start} ${toOption(option)}`),
  ]
}

function toOption({ name, description, takesValue, choices }: OptionWord): string {
  const value = choices === undefined ? ' -r -F' : ` -x -a ${quote(choices.join(' '))}`
  return `-l ${name.slice(2)}${takesValue ? value : ''} -d ${quote(description)}`
}

/** Quotes a text for fish. */
const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
