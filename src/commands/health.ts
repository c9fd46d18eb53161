import { localCommand } from './command.ts'
import { askReadiness, toReason } from './ready.ts'
import { loadConfig } from './settings.ts'

/** Exit status 0 if the configured service answers and is ready; for containers and supervisors. */
export const healthCommand = localCommand('health', 'ask the running service whether it is ready', {
  act: async (cli) => askReadiness(await loadConfig(cli)),
  toText: ({ ready, answer }) => {
    const damaged = answer?.damaged ?? []
    if (!ready) return ''
    return damaged.length === 0 ? 'ready' : `ready, but damaged: ${damaged.join(', ')}; 'memsvc doctor' tells more`
  },
  toJson: ({ url, ready, answer }) => ({ url, ready, ...(answer ?? { status: null }) }),
  refusal: (readiness) => (readiness.ready ? undefined : toReason(readiness)),
})
