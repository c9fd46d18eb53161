import { Refusal, toErrorCode } from '../../errors.ts'
import type { Hit } from '../../history/read/grep.ts'
import type { TranscriptLine } from '../../history/read/transcript.ts'
import type { Cli } from '../cli.ts'
import { commandGroup, localCommand, readCount } from '../command.ts'
import { writeFile } from '../terminal/files.ts'
import { countOf, toOneLine, toPlainText, toTable, toTableTime, withMore } from '../terminal/text.ts'
import { FILTER_OPTIONS, findCommand } from './find.ts'
import { createHistoryClient, type SessionList } from './service.ts'

/** How commands say what names a session. */
const SESSION =
  'its id, as in the list or as its assistant has it, or the beginning of either, of four characters or more'

const USUAL_SESSIONS = 50
const MAX_SESSIONS = 500

const listCommand = localCommand('list', 'list your sessions, last active first', {
  options: {
    ...FILTER_OPTIONS,
    '--subagents': 'include sessions of subagents',
    '--before <place>': 'continue an earlier list, from the position at its end',
    '--limit <n>': {
      help: `maximum number, up to ${MAX_SESSIONS}`,
      parse: readCount(MAX_SESSIONS),
      default: USUAL_SESSIONS,
    },
  },
  act: (cli, query) => createHistoryClient(cli).list(query),
  toText: toListText,
})

function toListText({ sessions, next }: SessionList): string {
  const rows = sessions.map(({ id, assistant, lines, last_at, received_at, cwd, title }) => [
    id,
    assistant,
    toTableTime(last_at ?? received_at),
    String(lines),
    toOneLine(cwd ?? '-', 30),
    toOneLine(title ?? '-'),
  ])
  const table = toTable(
    ['SESSION', 'ASSISTANT', 'LAST', 'LINES', 'FOLDER', 'BEGINS'],
    rows,
    "nothing was uploaded; see 'memsvc sync'",
  )
  return withMore(table, next && `--before ${next}`)
}

const PAGE_LINES = 200
const MAX_LINE = 1e9

/** Prints page by page, so that memory use does not depend on the length of the session. */
const showCommand = localCommand('show', 'print a session as a readable transcript', {
  arguments: { '<session>': SESSION },
  options: {
    '--from <line>': { help: 'start at this line', parse: readCount(MAX_LINE) },
    '--limit <n>': { help: 'maximum number of entries', parse: readCount(MAX_LINE) },
    '--all': 'include lines that are not part of the conversation, unchanged',
    '--json': 'print each entry as JSON on one line',
  },
  act: async (cli, { from = 1, limit = Number.POSITIVE_INFINITY, all, json }, id = '') => {
    const client = createHistoryClient(cli)
    let left = limit
    for (let next: number | undefined = from; left > 0 && next !== undefined; ) {
      const page = await client.lines(id, { from: next, limit: Math.min(PAGE_LINES, left), all })
      for (const line of page.lines) await cli.out(json ? `${JSON.stringify(line)}\n` : toLineText(line))
      left -= page.lines.length
      next = page.next
    }
  },
})

function toLineText({ line, role, tool, at, text, cut }: TranscriptLine): string {
  const head = [
    `#${line}`,
    tool === undefined ? role : `${role} ${toPlainText(tool)}`,
    ...(at === null ? [] : [toTableTime(at)]),
  ].join(' · ')
  return `── ${head}\n${toPlainText(text)}${cut === true ? '\n[…]' : ''}\n\n`
}

const PAGE_MATCHES = 100
const USUAL_MATCHES = 100
const MAX_MATCHES = 10_000
const CONTEXT_WIDTH = 60

/** Exit status 1 if no line contains the text. */
const grepCommand = localCommand('grep', 'find the lines of a session that contain a text, ignoring case', {
  arguments: { '<session>': SESSION, '<text>': '' },
  options: {
    '--limit <n>': {
      help: `maximum number, up to ${MAX_MATCHES}`,
      parse: readCount(MAX_MATCHES),
      default: USUAL_MATCHES,
    },
    '--all': 'include lines that are not part of the conversation',
    '--json': 'print each match as JSON on one line',
  },
  act: async (cli, { limit, all, json }, id = '', text = '') => {
    const client = createHistoryClient(cli)
    let found = 0
    for (let from: number | undefined = 1; found < limit && from !== undefined; ) {
      const page = await client.matches(id, { text, from, limit: Math.min(PAGE_MATCHES, limit - found), all })
      for (const match of page.hits) await cli.out(`${json ? JSON.stringify(match) : toHitText(match)}\n`)
      found += page.hits.length
      from = page.next
    }
    if (found === 0) throw new Refusal('no line has this text')
  },
})

function toHitText({ line, role, before, match, after }: Hit): string {
  const lead = before.slice(-CONTEXT_WIDTH)
  return `#${line} ${role}: ${toOneLine(`${lead}${match}${after}`, 2 * CONTEXT_WIDTH + match.length)}`
}

const exportCommand = localCommand(
  'export',
  'print a session as JSON Lines, as its assistant wrote them except for credentials and what is never uploaded',
  {
    arguments: { '<session>': SESSION },
    options: { '--output <file>': 'write to this file instead; it appears only when it is complete' },
    act: async (cli, { output }, id = '') => {
      const lines = await createHistoryClient(cli).export(id)
      if (output !== undefined) await writeFile(output, lines)
      else await printLines(cli, lines)
    },
  },
)

/** Ends early if the reader has closed the pipe, as `head` does. */
async function printLines({ outBytes }: Pick<Cli, 'outBytes'>, lines: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const piece of lines) await outBytes(piece)
  } catch (error) {
    if (toErrorCode(error) !== 'EPIPE') throw error
  }
}

const continueCommand = localCommand(
  'continue',
  "write a session to where its assistant's own resume finds it, here or on another machine; replaces nothing",
  {
    arguments: { '<session>': SESSION },
    options: { '--dir <folder>': "the folder to go on in, if not the session's own" },
    act: async (cli, { dir }, id = '') => (await import('./continue.ts')).continueHere(cli, id, dir),
    toText: ({ text }) => text,
    toJson: ({ continued }) => continued,
  },
)

const eraseCommand = localCommand(
  'erase',
  'erase a session and its subagents at the service for good; the files on this machine stay and are not uploaded again',
  {
    arguments: { '[session]': SESSION },
    options: {
      '--all': 'every session that you have uploaded to the project',
      '--yes': 'do not ask; this cannot be undone',
    },
    act: async (cli, { all, yes }, id?: string) => {
      if ((id === undefined) === (all === undefined)) throw new Refusal('give the id of a session, or --all')
      const what = id === undefined ? 'every session that you have uploaded' : `session ${id}`
      if (!yes && !(await cli.confirm?.(`Erase ${what} for good?`)))
        throw new Refusal(`this erases ${what} for good; add --yes to do it`)
      const client = createHistoryClient(cli)
      return id === undefined ? client.eraseAll() : client.erase(id)
    },
    toText: ({ sources, lines }) => `erased ${countOf(sources, 'session')} with ${countOf(lines, 'line')}`,
  },
)

/** The sessions that the holder of the key has uploaded. Sessions of others cannot be read. */
export const historyCommand = commandGroup(
  'history',
  'read and erase the session histories that you uploaded to the project of your key (SVC_API_KEY)',
  [listCommand, findCommand, showCommand, grepCommand, exportCommand, continueCommand, eraseCommand],
)
