import { Refusal } from '../../errors.ts'

/** The result of one check. `advice` says what to do if it is not ok. */
export type Check = {
  side: 'client' | 'service'
  name: string
  state: 'ok' | 'warning' | 'problem'
  detail: string
  advice?: string
}

/** Returns constructors of checks of one side. */
export function checksOf(side: Check['side']) {
  return {
    ok: (name: string, detail: string): Check => ({ side, name, state: 'ok', detail }),
    warning: (name: string, detail: string, advice: string): Check => ({
      side,
      name,
      state: 'warning',
      detail,
      advice,
    }),
    problem: (name: string, detail: string, advice: string): Check => ({
      side,
      name,
      state: 'problem',
      detail,
      advice,
    }),
  }
}

/** The check of a client's file that cannot be read or parsed. Rethrows anything but a Refusal. */
export function toFileProblem(name: string, file: string, error: unknown): Check {
  if (!(error instanceof Refusal)) throw error
  // Reading names the file, parsing does not.
  const detail = error.message.startsWith(file) ? error.message : `${file}: ${error.message}`
  return checksOf('client').problem(name, detail, 'repair the file; the client cannot read it either')
}
