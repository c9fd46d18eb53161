const TERM = /[\p{L}\p{M}\p{N}]+/gu

/** The terms of a text, in order, alike for records and queries. */
export function toTerms(text: string): string[] {
  return text.toWellFormed().normalize('NFKC').toLowerCase().match(TERM) ?? []
}
