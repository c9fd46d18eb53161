import { Refusal } from '../../errors.ts'
import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import type { Client } from './client.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { continueDev } from './continue.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { goose } from './goose.ts'
import { jetbrains } from './jetbrains.ts'
import { opencode } from './opencode.ts'
import { vsCode } from './vs-code.ts'
import { windsurf } from './windsurf.ts'
import { zed } from './zed.ts'

/** Every client that can be connected with one command, in the order of `memsvc client list`. */
export const CLIENTS: Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vsCode,
  codex,
  gemini,
  windsurf,
  zed,
  opencode,
  cline,
  continueDev,
  goose,
  jetbrains,
]

/** @throws Refusal for an id that no client has. */
export function requireClient(id: string): Client {
  const client = CLIENTS.find((one) => one.id === id)
  if (client === undefined) throw new Refusal(`'${id}' is no client that is known; known are ${CLIENTS.map(({ id }) => id).join(', ')}`)
  return client
}
