import type { Cli } from '../cli.ts'

/** The progress of a long command: on a terminal one line that is rewritten, elsewhere a new line every 5 seconds. */
export type Progress = {
  /** Shows the current state; rate-limited, so calls in quick succession are dropped. */
  show: (text: string) => void
  /** Prints a line that is not dropped. */
  say: (text: string) => void
  /** Removes the line of the current state. */
  end: () => void
}

const TERMINAL_INTERVAL_MS = 200
const LINE_INTERVAL_MS = 5_000

const CLEAR_LINE = '\r\u001b[K'

export function createProgress({ clock, err, isTerminal }: Pick<Cli, 'clock' | 'err' | 'isTerminal'>): Progress {
  let shownAt = clock.ticks()
  const clear = isTerminal ? CLEAR_LINE : ''
  return {
    show: (text) => {
      const now = clock.ticks()
      if (now - shownAt < (isTerminal ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS)) return
      shownAt = now
      err(isTerminal ? `${clear}${text}` : `${text}\n`)
    },
    say: (text) => err(`${clear}${text}\n`),
    end: () => err(clear),
  }
}
