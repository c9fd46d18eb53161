import text from './style.css' with { type: 'text' }

/** The style sheet of every page, under a path that changes with it. */
export const STYLE = { text, path: `/assets/style-${Bun.hash.crc32(text).toString(16)}.css` }
