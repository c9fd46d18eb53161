const MAX_TITLE_CHARACTERS = 120

/** The beginning of a text in one line, as the title of a session; null for none. */
export function shortenTitle(text: string | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 4 * MAX_TITLE_CHARACTERS)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  if (line === '') return null
  const characters = [...line]
  return characters.length <= MAX_TITLE_CHARACTERS ? line : `${characters.slice(0, MAX_TITLE_CHARACTERS).join('')}…`
}
