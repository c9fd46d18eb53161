import { Command } from 'commander'
import { Refusal } from '../../errors.ts'
import type { Hit } from '../../history/read/grep.ts'
import type { Cli } from '../cli.ts'
import { readCount } from '../command.ts'
import { toOneLine } from '../terminal/table.ts'
import { createHistoryClient, SESSION_ARGUMENT } from './service.ts'

const PAGE_MATCHES = 100
const USUAL_LIMIT = 100
const MAX_LIMIT = 10_000
const CONTEXT_WIDTH = 60

type Options = { limit: number; all?: true; json?: true }

/** `memsvc history grep`. Exit status 1 if no line contains the text. */
export function grepCommand(cli: Cli): Command {
  return new Command('grep')
    .description('find the lines of a session that contain a text, ignoring case')
    .argument('<session>', SESSION_ARGUMENT)
    .argument('<text>')
    .option('--limit <n>', `maximum number, up to ${MAX_LIMIT}`, readCount(MAX_LIMIT), USUAL_LIMIT)
    .option('--all', 'include lines that are not part of the conversation')
    .option('--json', 'print each match as JSON on one line')
    .action((id: string, text: string, options: Options) => grep(cli, id, text, options))
}

async function grep(cli: Cli, id: string, text: string, { limit, all, json }: Options): Promise<void> {
  const client = createHistoryClient(cli)
  let found = 0
  for (let from = 1; found < limit; ) {
    const page = await client.matches(id, { text, from, limit: Math.min(PAGE_MATCHES, limit - found), all })
    for (const match of page.hits) await cli.out(`${json ? JSON.stringify(match) : toText(match)}\n`)
    found += page.hits.length
    if (page.next === undefined) break
    from = page.next
  }
  if (found === 0) throw new Refusal('no line has this text')
}

function toText({ line, role, before, match, after }: Hit): string {
  const lead = before.slice(-CONTEXT_WIDTH)
  return `#${line} ${role}: ${toOneLine(`${lead}${match}${after}`, 2 * CONTEXT_WIDTH + match.length)}`
}
