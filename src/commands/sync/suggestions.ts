import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { createHistoryClient } from '../history/service.ts'
import { askTarget, type SyncTarget } from './context.ts'

const QUESTION =
  'Also suggest records from what you typed in them? Nobody else sees a suggestion, and nothing is saved before you keep it.'

/**
 * The second question of `memsvc sync enable`. Asked of people who have not agreed yet, unless the command line says
 * what they want; `--yes` alone agrees to nothing.
 */
export async function askSuggestions(
  { confirm, out }: Pick<Cli, 'confirm' | 'out'>,
  { environment, info }: SyncTarget,
  { suggestions, yes }: { suggestions?: boolean; yes?: true },
): Promise<void> {
  if (suggestions === undefined && (yes || confirm === undefined || info.holder_kind !== 'member')) return
  const client = createHistoryClient({ environment })
  if (suggestions === undefined && (await client.readSuggestions()).suggestions) return
  const isOn = suggestions ?? (await confirm?.(QUESTION)) === true
  if (!isOn && suggestions === undefined) return
  await client.setSuggestions(isOn ? 'on' : 'off')
  await out(isOn ? ON : OFF)
}

const ON =
  "Records are suggested from your sessions once they rest for an hour, in the console under Review. 'memsvc sync suggestions off' ends that.\n"
const OFF = 'No records are suggested from your sessions.\n'

/** `memsvc sync suggestions` */
export async function switchSuggestions(
  cli: Cli,
  state: string | undefined,
  options: { client?: string },
): Promise<void> {
  if (state !== undefined && state !== 'on' && state !== 'off') throw new Refusal(`say on or off, not '${state}'`)
  const { environment } = await askTarget(cli, options)
  const client = createHistoryClient({ environment })
  if (state !== undefined) await client.setSuggestions(state)
  await cli.out((await client.readSuggestions()).suggestions ? ON : OFF)
}
