/** Markup in which every value is escaped already. Only `html` makes it. */
export type Html = { readonly markup: string }

type Value = string | number | Html | Html[] | undefined

/** A template tag: escapes text and numbers, keeps `Html` as it is, joins lists of it, and writes nothing for undefined. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: parts.map((part, at) => part + toMarkup(values[at])).join('') }
}

function toMarkup(value: Value): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(({ markup }) => markup).join('')
  return typeof value === 'object' ? value.markup : Bun.escapeHTML(value)
}
