import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { readCount } from '../command.ts'
import { toOneLine, toTable, toTableTime } from '../terminal/table.ts'
import { createHistoryClient, type SessionList } from './service.ts'

const USUAL_LIMIT = 50
const MAX_LIMIT = 500

type Options = { assistant?: string; subagents?: true; before?: string; limit: number; json?: true }

/** `memsvc history list` */
export function listCommand(cli: Cli): Command {
  return new Command('list')
    .description('list your sessions, last active first')
    .option('--assistant <name>', 'only sessions of claude-code, codex, gemini, opencode or copilot')
    .option('--subagents', 'include sessions of subagents')
    .option('--before <place>', 'continue an earlier list, from the position at its end')
    .option('--limit <n>', `maximum number, up to ${MAX_LIMIT}`, readCount(MAX_LIMIT), USUAL_LIMIT)
    .option('--json', 'print one JSON value')
    .action(async ({ json, ...query }: Options) => {
      const page = await createHistoryClient(cli).list(query)
      await cli.out(json ? `${JSON.stringify(page)}\n` : toText(page))
    })
}

function toText({ sessions, next }: SessionList): string {
  const rows = sessions.map(({ id, assistant, lines, last_at, received_at, cwd, title }) => [
    id,
    assistant,
    toTableTime(last_at ?? received_at),
    String(lines),
    toOneLine(cwd ?? '-', 30),
    toOneLine(title ?? '-'),
  ])
  const table = toTable(['SESSION', 'ASSISTANT', 'LAST', 'LINES', 'FOLDER', 'BEGINS'], rows, "nothing was uploaded; see 'memsvc sync'")
  return `${table}\n${next === undefined ? '' : `more: --before ${next}\n`}`
}
