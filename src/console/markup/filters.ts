import { toQueryPath } from '../paging.ts'
import { type Field, type Option, toField, toFlag, toSelect } from './form.ts'
import { type Html, html, inContext, withoutTyped } from './html.ts'

/**
 * A filter of a list: a parameter of the page's address, and its field. `chip` is its label once it is set, if that is
 * not the field's.
 */
export type Filter = Field & { value: string; options?: Option[]; chip?: string }

/** The option of a filter that is not set. */
export const ANY: Option = { value: '', label: 'any' }

/** Options whose labels are their values, after `any`. */
export const anyOf = (values: readonly string[]): Option[] => [ANY, ...values.map((value) => ({ value, label: value }))]

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
