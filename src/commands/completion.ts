import { Argument, Command } from 'commander'
import type { Cli } from './cli.ts'

/** A line that stands for the names of files. */
const FILES = ':files'

/**
 * For each shell: a script that asks the program for the candidates of a command line, and how a candidate is printed
 * for it.
 */
const SHELLS: Record<string, { script: string; toLine: (name: string, description: string) => string }> = {
  bash: {
    script: `# bash completion for memsvc: source <(memsvc completion bash)
_memsvc() {
  local IFS=$'\\n' word=\${COMP_WORDS[COMP_CWORD]}
  # An option and its value with '=' between are three words.
  [[ $word == '=' ]] && word=
  COMPREPLY=($(compgen -W "$(command memsvc completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "$word"))
}
complete -o default -F _memsvc memsvc
`,
    // It completes the names of files by itself where there is no candidate.
    toLine: (name) => (name === FILES ? '' : name),
  },
  zsh: {
    script: `#compdef memsvc
# zsh completion for memsvc: source <(memsvc completion zsh)
_memsvc() {
  local -a found=("\${(@f)$(command memsvc completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ \${found[-1]} == ${FILES} ]]; then
    found[-1]=()
    _files
  fi
  if [[ $PREFIX == -* ]]; then _describe -o option found; else _describe word found; fi
}
if [[ $funcstack[1] == _memsvc ]]; then
  _memsvc "$@"
else
  compdef _memsvc memsvc
fi
`,
    toLine: (name, description) =>
      name === FILES ? name : `${name.replaceAll(':', '\\:')}${description && `:${description}`}`,
  },
  fish: {
    script: `# fish completion for memsvc: memsvc completion fish | source
function __memsvc_candidates
    set -l token (commandline -ct)
    for line in (command memsvc completion fish -- (commandline -opc)[2..] "$token" 2>/dev/null)
        if test "$line" = ${FILES}
            __fish_complete_path "$token"
        else
            echo $line
        end
    end
end
complete -c memsvc -e
complete -c memsvc -f -a '(__memsvc_candidates)'
`,
    toLine: (name, description) => `${name}\t${description}`.replace(`${FILES}\t`, FILES),
  },
}

/**
 * `memsvc completion bash|zsh|fish`. With the words of a command line, the last one perhaps typed in part: what may
 * stand there.
 */
export function completionCommand(cli: Cli): Command {
  return new Command('completion')
    .description('print a script that completes command lines in a shell')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(Object.keys(SHELLS)))
    .allowExcessArguments()
    .addHelpText(
      'after',
      `
  bash   echo 'source <(memsvc completion bash)' >> ~/.bashrc
  zsh    echo 'source <(memsvc completion zsh)' >> ~/.zshrc   (after compinit)
  fish   memsvc completion fish > ~/.config/fish/completions/memsvc.fish`,
    )
    .action(async (name: string, _options: object, command: Command) => {
      const shell = SHELLS[name]
      const [, ...words] = command.args
      if (shell === undefined) return
      const lines = listCandidates(command.parent ?? command, words).map(
        (one) => `${shell.toLine(one.name, one.description)}\n`,
      )
      await cli.out(words.length === 0 ? shell.script : lines.join(''))
    })
}

type Candidate = { name: string; description: string }

const plain = (names: string[] = [FILES]): Candidate[] => names.map((name) => ({ name, description: '' }))

/** What may stand in the place of the last word, whatever is typed of it, except for a dash. */
function listCandidates(program: Command, words: string[]): Candidate[] {
  const before = words.slice(0, -1).filter((word) => word !== '=')
  const command = before.reduce((found, word) => found.commands.find((one) => one.name() === word) ?? found, program)
  const help = command.createHelp()
  const options = help.visibleOptions(command).filter(({ long }) => long)
  const valued = options.find(({ long, required, optional }) => long === before.at(-1) && (required || optional))
  if (valued !== undefined) return plain(valued.argChoices)
  if (words.at(-1)?.startsWith('-')) return options.map(({ long = '', description }) => ({ name: long, description }))
  const commands = help.visibleCommands(command).map((one) => ({ name: one.name(), description: one.description() }))
  const args = command.registeredArguments
  const isAny = args.some(({ argChoices }) => argChoices === undefined)
  return [...commands, ...args.flatMap(({ argChoices = [] }) => plain(argChoices)), ...(isAny ? plain() : [])]
}
