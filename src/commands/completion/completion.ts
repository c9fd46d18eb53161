import { Argument, Command } from 'commander'
import type { Cli } from '../cli.ts'
import { toBash } from './bash.ts'
import { type Entry, toEntries } from './entries.ts'
import { toFish } from './fish.ts'
import { toZsh } from './zsh.ts'

const SHELLS: Record<string, (program: string, entries: Entry[]) => string> = { bash: toBash, zsh: toZsh, fish: toFish }

/** `memsvc completion bash|zsh|fish`: the script contains all candidates, so that completion starts no process. */
export function completionCommand(cli: Cli): Command {
  return new Command('completion')
    .description('print a script that completes command lines in a shell')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      `
  bash   echo 'source <(memsvc completion bash)' >> ~/.bashrc
  zsh    echo 'source <(memsvc completion zsh)' >> ~/.zshrc   (after compinit)
  fish   memsvc completion fish > ~/.config/fish/completions/memsvc.fish`,
    )
    .action(async (shell: string, _options: object, command: Command) => {
      const program = command.parent ?? command
      await cli.out(SHELLS[shell]?.(program.name(), toEntries(program)) ?? '')
    })
}
