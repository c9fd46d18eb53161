import { Command } from 'commander'
import type { TranscriptLine } from '../../history/read/transcript.ts'
import type { Cli } from '../cli.ts'
import { readCount } from '../command.ts'
import { toPlainText } from '../terminal/plain-text.ts'
import { toTableTime } from '../terminal/table.ts'
import { createHistoryClient, SESSION_ARGUMENT } from './service.ts'

const PAGE_LINES = 200
const MAX_LINE = 1e9

type Options = { from?: number; limit?: number; all?: true; json?: true }

/** `memsvc history show`: prints page by page, so that memory use does not depend on the length of the session. */
export function showCommand(cli: Cli): Command {
  return new Command('show')
    .description('print a session as a readable transcript')
    .argument('<session>', SESSION_ARGUMENT)
    .option('--from <line>', 'start at this line', readCount(MAX_LINE))
    .option('--limit <n>', 'maximum number of entries', readCount(MAX_LINE))
    .option('--all', 'include lines that are not part of the conversation, unchanged')
    .option('--json', 'print each entry as JSON on one line')
    .action((id: string, options: Options) => show(cli, id, options))
}

async function show(cli: Cli, id: string, { from, limit = Number.POSITIVE_INFINITY, all, json }: Options): Promise<void> {
  const client = createHistoryClient(cli)
  let left = limit
  for (let next = from ?? 1; left > 0; ) {
    const page = await client.lines(id, { from: next, limit: Math.min(PAGE_LINES, left), all })
    for (const line of page.lines) await cli.out(json ? `${JSON.stringify(line)}\n` : toText(line))
    left -= page.lines.length
    if (page.next === undefined) return
    next = page.next
  }
}

function toText({ line, role, tool, at, text, cut }: TranscriptLine): string {
  const head = [`#${line}`, tool === undefined ? role : `${role} ${toPlainText(tool)}`, ...(at === null ? [] : [toTableTime(at)])].join(
    ' · ',
  )
  return `── ${head}\n${toPlainText(text)}${cut === true ? '\n[…]' : ''}\n\n`
}
