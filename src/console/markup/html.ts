/** What markup depends on beside the values that it is made of: the same for every part of a page. */
export type RenderContext = {
  /** Milliseconds since 1970, for times relative to now. Without it, times are shown as they are. */
  now?: number
  /** The form that the page answers because it was refused. */
  refused?: RefusedForm | undefined
}

/** A form that was refused: the path it was posted to, why, and the name of the field that is at fault if there is one. `chosen` are the values of
 * the boxes in a list that were ticked. */
export type RefusedForm = { action: string; error: string; field?: string | undefined; chosen?: ReadonlySet<string> }

/** Markup in which every value is escaped already. Only `html` and `inContext` make it. */
export type Html = { readonly render: (context: RenderContext) => string }

type Value = string | number | Html | Html[] | undefined

/** A template tag: escapes text and numbers, keeps `Html` as it is, joins lists of it, and writes nothing for undefined. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { render: (context) => parts.map((part, at) => part + toMarkup(values[at], context)).join('') }
}

/** Markup that depends on the page it is part of, so that no view has to hand the context on. */
export function inContext(write: (context: RenderContext) => Html): Html {
  return { render: (context) => write(context).render(context) }
}

function toMarkup(value: Value, context: RenderContext): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map((one) => one.render(context)).join('')
  return typeof value === 'object' ? value.render(context) : Bun.escapeHTML(value)
}
