import { resolve } from 'node:path'
import { type Continued, continueSession } from '../../agent/histories/continue/continue.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'
import { countOf, toPlainText } from '../terminal/text.ts'
import { createHistoryClient } from './service.ts'

/** `memsvc history continue` */
export async function continueHere(cli: Cli, id: string, dir: string | undefined) {
  const client = createHistoryClient(cli)
  const { session } = await client.lines(id, { limit: 1 })
  const wished = dir === undefined ? undefined : resolve(dir)
  const continued = await continueSession(machineOf(cli), session, wished, () => client.export(session.id))
  return { continued, text: toPlainText(toText(continued)) }
}

function toText({ file, dir, command, lines, left_out: leftOut, redacted }: Continued): string {
  return [
    `Written: ${countOf(lines, 'line')} to ${file}`,
    'Redacted places stay redacted:',
    `  ${countOf(redacted, 'credential')} of it ${redacted === 1 ? 'is' : 'are'} [REDACTED:…]`,
    `  in ${countOf(leftOut, 'line')} pictures, encrypted reasoning or large texts were left out at the upload`,
    `Go on with:\n  cd ${toWord(dir)} && ${command.map(toWord).join(' ')}`,
  ].join('\n')
}

/** A word as a shell reads it. */
const toWord = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
