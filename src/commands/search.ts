import { resolve } from 'node:path'
import { actingAs } from '../account/auth/caller.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { createServiceClient } from '../agent/service-client.ts'
import { Refusal, ServiceError } from '../errors.ts'
import { type Explained, explainSearch } from '../memory/search/explain.ts'
import { ASK_ELSEWHERE } from '../memory/search/hint.ts'
import { EVERY_WORKSPACE, type SearchArguments } from '../memory/search/request.ts'
import { searchMemory } from '../memory/search/search.ts'
import { DEFAULT_WORKSPACE } from '../memory/workspaces/workspace.ts'
import { type Cli, withService } from './cli.ts'
import { localCommand, readCount } from './command.ts'
import { CLIENT_OPTION, findConnection } from './find-connection.ts'
import { FILTER, toFilterArguments, withoutUndefined } from './record-filter.ts'
import { findMember, findProject } from './service-command.ts'
import { loadConfig } from './settings.ts'
import { toOneLine, toTable, toTableTime } from './terminal/text.ts'

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 50
const MAX_OFFSET = 1_000_000

export const searchCommand = localCommand(
  'search',
  'find records as an assistant would: with its key, or with --project in the data folder',
  {
    arguments: { '<query>': "words, an id, a fact key or a source; '*' lists the last saved records" },
    options: {
      '--project <project>': "name or id, where the service's data is here",
      '--account <account>': 'name or id; only needed if several accounts have a project of that name',
      ...CLIENT_OPTION,
      '--also <wording...>': 'other wordings of the same, up to 5',
      '--workspace <name>': 'search this one alone; all if left out',
      '--member <member>':
        "search as this member (e-mail, name or id), with their drafts and their department's records",
      ...FILTER,
      '--offset <n>': { help: 'skip this many at the beginning', parse: readCount(MAX_OFFSET, 0) },
      '--limit <n>': {
        help: `maximum number, up to ${MAX_LIMIT}`,
        parse: readCount(MAX_LIMIT),
        default: DEFAULT_LIMIT,
      },
      '--explain': 'show what each word of the query contributed',
    },
    act: async (
      cli,
      { project, account, client, member, explain, also, workspace = EVERY_WORKSPACE, offset, limit, ...filter },
      query = '',
    ) => {
      const args = { query, workspace, limit, ...withoutUndefined({ also, offset }), ...toFilterArguments(filter) }
      if (project === undefined && (member !== undefined || explain))
        throw new Refusal('--member and --explain need --project, and the data of the service')
      const answer =
        project === undefined
          ? await searchByKey(cli, withoutUndefined({ client }), args)
          : await searchHere(cli, { project, account, member, explain }, args)
      return { answer, workspace }
    },
    toText: ({ answer, workspace }) =>
      [
        isExplained(answer) ? answer.result.map(toExplanation).join('\n\n') : toResults(answer),
        ...toRemarks(answer, workspace),
      ].join('\n'),
    toJson: ({ answer }) => answer,
  },
)

const TIMEOUT_MS = 10_000

/** Searches as an assistant, over the network. @throws ServiceError that says why the service cannot be asked. */
async function searchByKey(cli: Cli, options: { client?: string }, args: SearchArguments): Promise<Answer> {
  const environment = await findConnection(cli, options)
  if (!environment.SVC_API_KEY && !environment.SVC_API_KEY_FILE) {
    const folder = resolve((await loadConfig(cli)).dataDir)
    const advice = `connect one ('memsvc client add'), set SVC_API_KEY, or search in the data folder '${folder}' by --project`
    throw new ServiceError('key_missing', `no assistant here has a key: ${advice}; SVC_DATA_DIR names another folder`)
  }
  const client = createServiceClient(environment)
  const { structuredContent } = await client.callTool('search', args, TIMEOUT_MS)
  return structuredContent as Answer
}

type Here = { project: string; account?: string | undefined; member?: string | undefined; explain?: true | undefined }

/** Searches in the data folder. */
function searchHere(cli: Cli, { project: ref, account: accountRef, member, explain }: Here, args: SearchArguments) {
  return withService(cli, async (service): Promise<Answer | ExplainedAnswer> => {
    const project = await findProject(service, { project: ref, account: accountRef })
    const account = await requireAccount(service, project.accountId)
    const caller = actingAs(account, project, await findMember(service, member, project))
    return explain ? explainSearch(service, caller, args) : searchMemory(service, caller, args)
  })
}

type Answer = Awaited<ReturnType<typeof searchMemory>>
type ExplainedAnswer = Awaited<ReturnType<typeof explainSearch>>

/** An answer without results has the same form with and without an explanation. */
const isExplained = (answer: Answer | ExplainedAnswer): answer is ExplainedAnswer =>
  answer.result.some((found) => 'terms' in found)

/** The workspaces are shown where records of others than `default` are among the results. */
function toResults({ result, hint }: Answer): string {
  const isElsewhere = result.some(({ workspace }) => workspace !== DEFAULT_WORKSPACE)
  return toTable(
    ['SCORE', 'STATUS', 'SAVED', ...(isElsewhere ? ['WORKSPACE'] : []), 'SOURCE', 'CONTENT'],
    result.map(({ score, status, stale, created_at, workspace, source_id, content }) => [
      String(score),
      stale ? `${status}, stale` : status,
      toTableTime(created_at),
      ...(isElsewhere ? [workspace] : []),
      toOneLine(source_id ?? '-'),
      toOneLine(content),
    ]),
    `nothing found. ${toTyped(hint?.advice ?? '')}`.trimEnd(),
  )
}

/** An advice for assistants in words for who types the command. */
const toTyped = (advice: string) =>
  advice
    .replace('other_workspaces', 'other workspaces')
    .replace('wordings in also', 'wordings after --also')
    .replace(ASK_ELSEWHERE, `search with --workspace '${EVERY_WORKSPACE}', or with the name of one of them.`)

/** What is to be known besides the results or, where there are none, besides why. */
function toRemarks({ result, hint, next_offset: next }: Answer | ExplainedAnswer, workspace: string): string[] {
  const { words_not_found: unknown, other_workspaces: others, advice } = hint ?? {}
  const named = others === undefined ? [] : [`other workspaces: ${others.join(', ')}`]
  if (result.length === 0) return named
  const where = workspace === EVERY_WORKSPACE ? '' : ` of workspace '${workspace}'`
  return [
    ...named,
    ...(unknown === undefined ? [] : [`No record${where} holds: ${unknown.join(', ')}`]),
    ...(advice === undefined ? [] : [toTyped(advice)]),
    ...(next === undefined ? [] : [`There are more: --offset ${next}`]),
  ]
}

/**
 * A result and, below it, what contributed to its score: the words of the query, by the record itself and with its
 * neighbours, and its source.
 */
function toExplanation({
  score,
  stale,
  workspace,
  content,
  terms,
  source_evidence: evidence,
  covered,
  newness,
  wording,
}: Explained): string {
  const counted = terms.filter(({ with_neighbours: total }) => total > 0)
  const rows = counted.map(({ word, forms, use, weight, own, with_neighbours: total }) => [
    `  ${word}`,
    forms.join(' | '),
    use,
    weight.toFixed(3),
    own.toFixed(3),
    total.toFixed(3),
  ])
  if (evidence > 0) rows.push(['  (its source)', '', '', '', '', evidence.toFixed(3)])
  rows.push(['  (covered)', '', '', '', '', covered.toFixed(3)])
  rows.push(['  (newness)', '', '', '', '', `×${newness.toFixed(3)}`])
  const asked = wording === undefined ? '' : `  found best by: ${toOneLine(wording)}\n`
  const place = workspace === DEFAULT_WORKSPACE ? '' : ` (${workspace})`
  const head = `${score}${stale ? ' (stale: half)' : ''}${place}  ${toOneLine(content)}`
  return `${head}\n${asked}${toTable(['  WORD', 'FOUND AS', 'USE', 'WEIGHT', 'OWN', 'WITH NEIGHBOURS'], rows, '  nothing')}`
}
