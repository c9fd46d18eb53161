/** The context of rendering, the same for all parts of a page. */
export type RenderContext = {
  /** Milliseconds since 1970, for relative times. Without it, times are absolute. */
  now?: number
  /** The id of the page's forms, against double submission. */
  formId?: string
  /** The refused form that the page is a response to. */
  refused?: RefusedForm | undefined
}

/**
 * A refused form: the path it was posted to, the reason, the name of the field at fault, if there is one, and what was
 * typed and ticked.
 */
export type RefusedForm = {
  action: string
  error: string
  field?: string | undefined
  fields?: URLSearchParams | undefined
  /**
   * Whether it is a filter in the page's address: the message above the page is near its fields, and is not repeated
   * there.
   */
  isFilter?: boolean
}

/** Markup with all values escaped. Only the functions of this file create it. */
export type Html = { readonly render: (context: RenderContext) => string }

type Value = string | number | Html | Html[] | undefined

/**
 * A template tag: escapes text and numbers, inserts `Html` as it is, joins lists of it, and inserts nothing for
 * undefined.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { render: (context) => parts.map((part, at) => part + toMarkup(values[at], context)).join('') }
}

/**
 * Renders markup at once that does not depend on the rendering context, for long pages: their parts are rendered in the
 * slices in which they are made.
 */
export function renderNow(markup: Html): Html {
  const text = markup.render({})
  return { render: () => text }
}

/** Markup that depends on the rendering context, which views need not pass on. */
export function inContext(write: (context: RenderContext) => Html): Html {
  return { render: (context) => write(context).render(context) }
}

/** Fields of filters in the page's address: what was typed into a refused form is not filled into them. */
export function withoutTyped(fields: Html): Html {
  return {
    render: ({ refused, ...context }) =>
      fields.render({ ...context, refused: refused && { ...refused, fields: undefined } }),
  }
}

function toMarkup(value: Value, context: RenderContext): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map((one) => one.render(context)).join('')
  return typeof value === 'object' ? value.render(context) : Bun.escapeHTML(value)
}
