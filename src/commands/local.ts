import type { Load } from './command.ts'

/**
 * The commands of a user's machine, by name. They call a service and are not part of it (`bench` starts one): nothing
 * that their modules import may load the service's, so that the agent starts fast and stays small.
 */
export const LOCAL_COMMANDS: ReadonlyMap<string, Load> = new Map([
  ['agent', async () => (await import('./agent.ts')).agentCommand],
  ['bench', async () => (await import('./bench/bench.ts')).benchCommand],
  ['brief', async () => (await import('./brief.ts')).briefCommand],
  ['client', async () => (await import('./client/client.ts')).clientCommand],
  ['doctor', async () => (await import('./doctor/doctor.ts')).doctorCommand],
  ['history', async () => (await import('./history/history.ts')).historyCommand],
  ['hook', async () => (await import('./hook.ts')).hookCommand],
  ['status', async () => (await import('./status.ts')).statusCommand],
  ['sync', async () => (await import('./sync/sync.ts')).syncCommand],
])
