import { toQueryPath } from '../paging.ts'
import { type Field, type Option, toField, toFlag, toSelect } from './form.ts'
import { toCount } from './format.ts'
import { type Html, html, inContext, withoutTyped } from './html.ts'

type Look = 'number' | 'short' | 'long' | 'actions'

/** The link of a heading that sorts the table by its column, and how it is sorted by it now. */
type Sort = { href: string; order: 'ascending' | 'descending' | undefined }

/** A column: its heading or, with a look of its cells or a link that sorts, all of these. */
export type Column = string | { label: string; look?: Look | undefined; sort?: Sort | undefined }

/** A column of numbers. */
export const numeric = (label: string): Column => ({ label, look: 'number' })
/** A column whose cells are not wrapped in the table layout. */
export const short = (label: string): Column => ({ label, look: 'short' })
/** A column with text of users, which may be broken anywhere. */
export const long = (label: string): Column => ({ label, look: 'long' })
export const ACTIONS: Column = { label: '', look: 'actions' }

/** A table with a caption for screen readers; the sentence `empty` if there are no rows. */
export function toTable(caption: string, columns: Column[], rows: (Html | string | number)[][], empty = ''): Html {
  if (rows.length === 0) return html`<p class="nothing">${empty}</p>`
  const heads = columns.map(toHead)
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${heads.map(toHeading)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell, at) => html`<td data-label="${heads[at]?.label ?? ''}"${toClass(heads[at]?.look)}>${cell}</td>`)}</tr>\n`)}
</tbody>
</table>
</div>`
}

/** A column with all that it has. */
export const toHead = (column: Column) => (typeof column === 'string' ? { label: column } : column)

function toHeading({ label, look, sort }: Exclude<Column, string>): Html {
  const order = sort?.order && html` aria-sort="${sort.order}"`
  const text = look === 'actions' ? html`<span class="hidden">Actions</span>` : label
  return html`<th scope="col"${toClass(look)}${order}>${sort === undefined ? text : html`<a class="sort" href="${sort.href}">${text}</a>`}</th>`
}

/** The heading of a section with the number of what is in it; without one while that is not known. */
export const toCountedHeading = (title: string | Html, count: number | undefined): Html =>
  html`<h2>${title}${toSmall(count)}</h2>`

/** The title of a page with the number of what it lists; without one while that is not known. */
export const toCountedTitle = (title: string, count: number | undefined): Html =>
  html`<h1>${title}${toSmall(count)}</h1>`

const toSmall = (count = 0): Html | undefined =>
  count === 0 ? undefined : html` <small class="quiet">${toCount(count)}</small>`

function toClass(look: Look | undefined): Html | undefined {
  return look && html` class="${look}"`
}

/** A list of names and values; undefined values are left out. */
export function toFacts(facts: [string, Html | string | undefined][]): Html {
  const present = facts.filter((fact): fact is [string, Html | string] => fact[1] !== undefined)
  return html`<dl class="facts">${present.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

/** A coloured label of a state. */
export function toBadge(text: string, look: 'plain' | 'good' | 'warn' | 'bad' = 'plain'): Html {
  return html`<span class="badge ${look}">${text}</span>`
}

/** Shown where a project has no records: what to do first. `path` is the project's. */
export function toBeginning(path: string, sentence: string, isWriter = false): Html {
  const write = isWriter ? html`<a class="button" href="${path}/records/new">Write a record</a>` : undefined
  return html`<div class="nothing"><p>${sentence}</p>
<div class="actions"><a class="button main" href="${path}/start">Connect an assistant</a>${write}</div></div>`
}

/**
 * A filter of a list: a parameter of the page's address, and its field. `chip` is its label once it is set, if that is
 * not the field's.
 */
export type Filter = Field & { value: string; options?: Option[]; chip?: string }

type Days = Record<'since' | 'until', string>

/** The filters by the first and the last day, in UTC; `what` happened then. */
export const toDayFilters = ({ since, until }: Days, what?: string): Filter[] => {
  const toLabel = (chip: string) => ({ label: what === undefined ? chip : `${what} ${chip.toLowerCase()}`, chip })
  return [
    { name: 'since', ...toLabel('Since'), type: 'date', value: since },
    { name: 'until', ...toLabel('Until'), type: 'date', value: until, hint: 'Days are UTC.' },
  ]
}

/** The option of a filter that is not set. */
export const ANY: Option = { value: '', label: 'any' }

/** Options whose labels are their values. */
export const sameOptions = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }))

/** The same, after `any`. */
export const anyOf = (values: readonly string[]): Option[] => [ANY, ...sameOptions(values)]

/** Options of things by their ids, with their names. */
export const namedOptions = (things: readonly { id: string; name: string }[]): Option[] =>
  things.map(({ id, name }) => ({ value: id, label: name }))

/** The fields of filters behind a button beside the search field; open if one of them was refused. */
export function toFilterFold(filters: Filter[]): Html {
  const fields = filters.map(
    (filter) => html`${filter.options === undefined ? toField(filter) : toSelect(filter, filter.options)}\n`,
  )
  return inContext(({ refused }) => {
    const isOpen = filters.some(({ name }) => name === refused?.field)
    return html`<details class="filters"${toFlag('open', isOpen)}><summary class="button">Filters</summary>
<div class="panel">
<div class="grid">
${withoutTyped(html`${fields}`)}</div>
<div class="actions"><button class="main">Apply</button></div>
</div>
</details>`
  })
}

/**
 * The filters that are set, as links that remove them, and for several one that removes all; undefined for none. `kept`
 * are the parameters of the page that are no filters.
 */
export function toChips(at: string, filters: Filter[], kept: Record<string, string> = {}): Html | undefined {
  const set = filters.filter(({ value }) => value !== '')
  if (set.length === 0) return undefined
  const query = Object.fromEntries(set.map(({ name, value }) => [name, value]))
  const items = set.map(({ name, label, chip = label, value, options }) => {
    const text = options?.find((option) => option.value === value)?.label ?? value
    const without = toQueryPath(at, { ...kept, ...query, [name]: '' })
    return html`<li><a class="chip" href="${without}" aria-label="Remove the filter ${chip}: ${text}">${chip}: <bdi>${text}</bdi> <span aria-hidden="true">×</span></a></li>\n`
  })
  return html`<ul class="chips">${items}${set.length > 1 ? html`<li><a href="${toQueryPath(at, kept)}">Clear all</a></li>` : undefined}</ul>`
}

type FoldOptions = {
  /** The paths that the forms post to: it is open after one was refused. */
  actions: string[]
  /** Whether it is open initially, because the page has nothing else. */
  open?: boolean
}

/** Forms that are rarely needed, behind a button with this label. */
export function toFold(label: string, { actions, open = false }: FoldOptions, forms: Html): Html {
  return inContext(
    ({
      refused,
    }) => html`<details class="fold"${toFlag('open', open || actions.includes(refused?.action ?? ''))}><summary class="button">${label}</summary>
<div class="panel">${forms}</div>
</details>`,
  )
}

/**
 * A list, and the fold with the form that adds to it: above the list, which may be long, but below the sentence that
 * stands for an empty one.
 */
export function toListWithFold(list: Html, fold: Html, isEmpty: boolean): Html {
  return html`${isEmpty ? [list, fold] : [fold, list]}`
}
