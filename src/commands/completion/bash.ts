import { type Entry, quote } from './entries.ts'

/** A bash script that completes the program's command lines. Where it knows no candidates, bash completes file names. */
export function toBash(program: string, entries: Entry[]): string {
  const places = entries.slice(1).map(({ place }) => quote(place))
  const values = entries.flatMap(({ place, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices = [] }) => `    ${quote(`${place} ${name}`)}) words=${quote(choices.join(' '))}; isValue=1 ;;`),
  )
  const words = entries.map(({ place, commands, choices }) => {
    return `    ${quote(place)}) words=${quote([...commands.map(({ name }) => name), ...choices].join(' '))} ;;`
  })
  const options = entries.map(({ place, options }) => `    ${quote(place)}) words=${quote(options.map(({ name }) => name).join(' '))} ;;`)
  return `# bash completion for ${program}: source <(${program} completion bash)
_${program}() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} place= words= isValue= at
  # An option and its value with '=' between are three words.
  [[ $word == '=' ]] && word=
  [[ $previous == '=' ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$place \${COMP_WORDS[at]}" in
    ${places.join(' | ')}) place+=" \${COMP_WORDS[at]}" ;;
    esac
  done
  case "$place $previous" in
${values.join('\n')}
  esac
  if [[ -n $isValue ]]; then
    :
  elif [[ $word == -* ]]; then
    case $place in
${options.join('\n')}
    esac
  else
    case $place in
${words.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _${program} ${program}
`
}
