import { toField, toFilterFold, toOptions, toSelect } from '../markup/form.ts'
import { type Html, html } from '../markup/html.ts'
import { toQueryPath } from '../paging.ts'
import { toChipList } from './record-filters.ts'

/** The filter values of the review, empty for none. */
export type ReviewFilters = { kind: string; workspace: string; source: string; author: string }

const KIND_LABELS: Record<string, string> = {
  '': 'everything',
  forgotten: 'verified, and forgotten by an assistant',
  contradictions: 'contradictions',
  marked: 'reads like an instruction',
  guard: 'rejected by the guard',
  unverified: 'not verified',
}
const LABELS: [keyof ReviewFilters, string][] = [
  ['kind', 'Kind'],
  ['workspace', 'Workspace'],
  ['source', 'Source'],
  ['author', 'Author'],
]

/** The heading of the review, with a button for filters and the active ones. */
export function toReviewHead(at: string, filters: ReviewFilters): Html {
  const { kind, workspace, source, author } = filters
  const set = LABELS.filter(([name]) => filters[name] !== '')
  const chips = set.map(([name, label]) => ({
    label,
    text: name === 'kind' ? (KIND_LABELS[kind] ?? kind) : filters[name],
    without: toQueryPath(at, { ...filters, [name]: '' }),
  }))
  return html`<form method="get" action="${at}" class="search head"><h1>Review</h1>
${toFilterFold(
  LABELS.map(([name]) => name),
  html`${toSelect({ name: 'kind', label: 'Show', value: kind }, toOptions(KIND_LABELS))}
${toField({ name: 'workspace', label: 'Workspace', value: workspace, maxlength: 64 })}
${toField({ name: 'source', label: 'Source', value: source, maxlength: 512 })}
${toField({ name: 'author', label: 'Author', value: author, maxlength: 200 })}`,
)}</form>
${toChipList(chips, at)}`
}
