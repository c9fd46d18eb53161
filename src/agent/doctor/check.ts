/** One thing that was looked at. `advice` says what to do where it is not well. */
export type Check = {
  side: 'client' | 'service'
  name: string
  state: 'ok' | 'warning' | 'problem'
  detail: string
  advice?: string
}

/** Makes checks of one side. */
export function checksOf(side: Check['side']) {
  return {
    ok: (name: string, detail: string): Check => ({ side, name, state: 'ok', detail }),
    warning: (name: string, detail: string, advice: string): Check => ({ side, name, state: 'warning', detail, advice }),
    problem: (name: string, detail: string, advice: string): Check => ({ side, name, state: 'problem', detail, advice }),
  }
}
