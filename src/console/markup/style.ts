import consoleText from './console.css' with { type: 'text' }
import recordText from './record.css' with { type: 'text' }
import baseText from './style.css' with { type: 'text' }

const text = `${baseText}\n${consoleText}\n${recordText}`

/** The style sheet of every page. The path contains a checksum of the text, so that browsers may cache it for ever. */
export const STYLE = { text, path: `/assets/style-${Bun.hash.crc32(text).toString(16)}.css` }
