import { MAX_WORDS_CHARACTERS } from '../../history/find/parse-words.ts'
import { FILTER_NAMES } from '../../history/find/read-filter.ts'
import { MCP_CLIENTS } from '../../mcp-clients.ts'
import { isAssistant } from '../../transcripts/format.ts'
import { toOptions } from '../markup/form.ts'
import { type Html, html } from '../markup/html.ts'
import { ANY, type Filter, toChips, toDayFilters, toFilterFold } from '../markup/table.ts'
import { readQuery } from '../paging.ts'

/** Display names of the assistants whose histories are uploaded. */
const ASSISTANT_NAMES = Object.fromEntries(
  MCP_CLIENTS.filter(({ id }) => isAssistant(id)).map(({ id, name }): [string, string] => [id, name]),
)

export const toAssistantName = (assistant: string) => ASSISTANT_NAMES[assistant] ?? assistant

const ASSISTANT_OPTIONS = [ANY, ...toOptions(ASSISTANT_NAMES)]

const SUBAGENT_OPTIONS = [
  { value: '', label: 'left out' },
  { value: 'yes', label: 'listed too' },
]

/** What the fields of the page's address have; empty for none. */
export type SessionFilter = Record<(typeof FILTER_NAMES)[number] | 'words' | 'file' | 'subagents', string>

/** The filter in a page's address. Unknown names of assistants are ignored. */
export function readFilter({ searchParams }: URL): SessionFilter {
  const filter = readQuery(searchParams, ['words', 'file', ...FILTER_NAMES, 'subagents'])
  const isKnown = Object.hasOwn(ASSISTANT_NAMES, filter.assistant)
  return { ...filter, assistant: isKnown ? filter.assistant : '', subagents: filter.subagents === 'yes' ? 'yes' : '' }
}

/** The search, other filters behind a button, and those that are set. */
export function toFilter(at: string, { words, ...filter }: SessionFilter): Html {
  const filters: Filter[] = [
    { name: 'file', label: 'File', value: filter.file, maxlength: MAX_WORDS_CHARACTERS },
    { name: 'folder', label: 'Folder', value: filter.folder, maxlength: MAX_WORDS_CHARACTERS },
    { name: 'branch', label: 'Branch', value: filter.branch, maxlength: MAX_WORDS_CHARACTERS },
    { name: 'assistant', label: 'Assistant', value: filter.assistant, options: ASSISTANT_OPTIONS },
    ...toDayFilters(filter),
    { name: 'subagents', label: 'Subagents', value: filter.subagents, options: SUBAGENT_OPTIONS },
  ]
  return html`<form method="get" action="${at}" class="search" role="search">
<input name="words" type="search" value="${words}" maxlength="${MAX_WORDS_CHARACTERS}" autocomplete="off" aria-label="Find words in your sessions" placeholder="Words of your sessions">
<button class="main">Find</button>
${toFilterFold(filters)}
</form>
${toChips(at, filters, words === '' ? {} : { words })}`
}
