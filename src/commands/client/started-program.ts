import { isAbsolute, join } from 'node:path'
import type { Client } from '../../agent/clients/clients.ts'
import { HOOK_EVENTS, type HookCommands, type HookEvent, toHookCommand } from '../../agent/clients/hooks.ts'
import { isCached, type KeptProgram, toKeptProgram } from '../../agent/clients/kept-program.ts'
import { readStateDir } from '../../agent/config.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'

/** How clients start this program. Says so where that is from a cache, or from the copy that is made instead. */
export function findProgram(cli: Cli, { isStarted, copy }: { isStarted: boolean; copy: boolean }): KeptProgram {
  const words = cli.program
  const cached = words.find(isCached)
  if (cached === undefined || !isStarted) return { words, copies: new Map() }
  const folder = join(readStateDir(cli.environment), 'program')
  const why = `memsvc was started by npx, from a cache that may be emptied at any time (${cached}).`
  const checkout = toCheckoutNote(words)
  if (copy) {
    cli.err(`${why} The settings will name a copy in ${folder}; with --no-copy, the cache.${checkout}\n`)
    return toKeptProgram(words, folder)
  }
  cli.err(`${why} The settings will name it; without --no-copy, a copy in ${folder}.${checkout}\n`)
  return { words, copies: new Map() }
}

/** What the settings name besides Bun, where only Bun is from a cache: the entry file of a checkout. */
function toCheckoutNote(words: string[]): string {
  const main = words.find((word) => isAbsolute(word) && word.endsWith('main.ts') && !isCached(word))
  if (main === undefined) return ''
  return ` They also name ${main}, so this checkout must stay where it is; the executable of 'bun run build' needs none.`
}

/** The events that `--hooks` names: both if it has no value, none if it is not given. @throws Refusal for another. */
export function readHookEvents(asked: true | string | undefined): HookEvent[] {
  if (asked === undefined) return []
  return asked === true ? [...HOOK_EVENTS] : asked.split(',').map(readHookEvent)
}

function readHookEvent(text: string): HookEvent {
  const event = HOOK_EVENTS.find((one) => one === text.trim())
  if (event === undefined) throw new Refusal(`'${text}' is not an event; known are ${HOOK_EVENTS.join(', ')}`)
  return event
}

export function toHookCommands({ id, hooks }: Client, program: string[], events: HookEvent[]): HookCommands {
  const known = events.filter((event) => hooks?.names[event] !== undefined)
  return Object.fromEntries(known.map((event) => [event, toHookCommand(program, event, id)]))
}
