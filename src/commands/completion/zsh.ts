import { type Entry, quote, type Word } from './entries.ts'

/** A zsh script that completes the program's command lines: to be sourced, or put as `_memsvc` into a folder of `fpath`. */
export function toZsh(program: string, entries: Entry[]): string {
  const places = entries.slice(1).map(({ place }) => quote(place))
  return `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh)
_${program}() {
  local place= at
  local -a found
  for ((at = 2; at < CURRENT; at++)); do
    case "$place \${words[at]}" in
    ${places.join(' | ')}) place+=" \${words[at]}" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${entries.flatMap(toValues).join('\n')}
  esac
  case $place in
${entries.map(toPlace).join('\n')}
  esac
}
if [[ $funcstack[1] == _${program} ]]; then
  _${program} "$@"
else
  compdef _${program} ${program}
fi
`
}

function toValues({ place, options }: Entry): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ name, choices }) => {
      const act = choices === undefined ? '_files' : `compadd -- ${choices.map(quote).join(' ')}`
      return `  ${quote(`${place} ${name}`)}) ${act}; return ;;`
    })
}

function toPlace({ place, commands, options, choices, takesFiles }: Entry): string {
  return `  ${quote(place)})
    if [[ $PREFIX == -* ]]; then
      found=(${toList(options)})
      _describe -o option found
      return
    fi
    found=(${toList([...commands, ...choices.map((name) => ({ name, description: '' }))])})
    _describe word found${takesFiles ? '\n    _files' : ''} ;;`
}

/** Words with their descriptions, as \`_describe\` takes them. */
function toList(words: Word[]): string {
  return words.map(({ name, description }) => quote(`${name.replaceAll(':', '\\:')}${description && `:${description}`}`)).join(' ')
}
