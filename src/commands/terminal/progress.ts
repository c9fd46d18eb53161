import type { Cli } from '../cli.ts'

export type Progress = ReturnType<typeof createProgress>

const TERMINAL_INTERVAL_MS = 200
const LINE_INTERVAL_MS = 5_000

const CLEAR_LINE = '\r\u001b[K'

/** The progress of a long command: on a terminal one line that is rewritten, elsewhere a new line every 5 seconds. */
export function createProgress({ clock, err, isTerminal }: Pick<Cli, 'clock' | 'err' | 'isTerminal'>) {
  let shownAt = clock.ticks()
  const clear = isTerminal ? CLEAR_LINE : ''
  return {
    /** Shows the current state; rate-limited, so calls in quick succession are dropped. */
    show: (text: string) => {
      const now = clock.ticks()
      if (now - shownAt < (isTerminal ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS)) return
      shownAt = now
      err(isTerminal ? `${clear}${text}` : `${text}\n`)
    },
    /** Prints a line that is not dropped. */
    say: (text: string) => err(`${clear}${text}\n`),
    /** Removes the line of the current state. */
    end: () => err(clear),
  }
}
