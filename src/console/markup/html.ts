/** Markup that is safe to put into a page as it is. */
export type Html = { readonly markup: string }

type Piece = string | number | Html | Html[] | undefined

/** Markup with every value in it escaped, unless that is markup itself; undefined gives nothing. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { markup: parts.map((part, at) => part + toMarkup(pieces[at])).join('') }
}

function toMarkup(piece: Piece): string {
  if (piece === undefined) return ''
  if (Array.isArray(piece)) return piece.map(({ markup }) => markup).join('')
  return typeof piece === 'object' ? piece.markup : Bun.escapeHTML(piece)
}
