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
    warning: (name: string, detail: string, advice: string): Check => ({ side, name, state: 'warning', detail, advice }),
    problem: (name: string, detail: string, advice: string): Check => ({ side, name, state: 'problem', detail, advice }),
  }
}
