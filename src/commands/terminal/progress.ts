import type { Cli } from '../cli.ts'

/** What a long command says on the way: a line that changes where a person watches, now and then a line elsewhere. */
export type Progress = {
  /** How far it is; not every call is seen. */
  show: (text: string) => void
  /** What must be seen. */
  say: (text: string) => void
  end: () => void
}

/** Milliseconds between two signs of progress: on a terminal, and elsewhere. */
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
