import type { FoundPage, FoundSession } from '../../history/find/find-sessions.ts'
import { ASSISTANTS } from '../../transcripts/format.ts'
import { localCommand, readCount } from '../command.ts'
import { toChoice, toOneLine, toTableTime } from '../terminal/text.ts'
import { createHistoryClient } from './service.ts'

const USUAL_FOUND = 10
const MAX_FOUND = 60
const MAX_WIDTH = 240

/** Options that narrow a list of sessions. */
export const FILTER_OPTIONS = {
  '--assistant <name>': `only sessions of ${toChoice(ASSISTANTS)}`,
  '--folder <path>': 'only sessions in folders with this path or name in their path',
  '--branch <name>': 'only sessions on this branch',
  '--since <day>': 'only sessions active on or after this day, such as 2026-11-01',
  '--until <day>': 'only sessions begun on or before this day',
} as const

export const findCommand = localCommand(
  'find',
  'find sessions by words of prompts, final answers, commands and paths, the best first',
  {
    arguments: { '[words...]': 'in any order and form; not needed with --file' },
    options: {
      '--file <path>': 'only sessions that read or changed this file: its path, or the end of it',
      ...FILTER_OPTIONS,
      '--from <n>': { help: 'continue an earlier search, from the number at its end', parse: readCount(MAX_FOUND) },
      '--limit <n>': { help: `maximum number, up to ${MAX_FOUND}`, parse: readCount(MAX_FOUND), default: USUAL_FOUND },
    },
    act: (cli, query, ...words) => createHistoryClient(cli).find({ ...query, words: words.join(' ') || undefined }),
    toText: toFoundText,
  },
)

function toFoundText({ found, next, only_best: best }: FoundPage): string {
  if (found.length === 0) return 'no session has these words'
  const more = next === undefined ? [] : [`more: --from ${next}`]
  const cut = best === undefined ? [] : [`only the best ${best} sessions are found; more words or a filter narrow it`]
  return [...found.map(toSessionText), ...more, ...cut].join('\n\n')
}

function toSessionText({ session, lines }: FoundSession): string {
  const { id, assistant, cwd, git_branch, last_at, received_at, title } = session
  const head = [id, assistant, toTableTime(last_at ?? received_at), toOneLine(cwd ?? '-', 60)]
  return [
    [...head, ...(git_branch === null ? [] : [toOneLine(git_branch, 40)])].join(' · '),
    toOneLine(title ?? '-'),
    ...lines.map(({ line, role, text }) => `  #${line} ${role}: ${toOneLine(text, MAX_WIDTH)}`),
  ].join('\n')
}
