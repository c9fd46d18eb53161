import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The package whose documentation is learned as harmless prose: under the MIT licence, and of the version that
 * `bun.lock` pins.
 */
const PACKAGE = join(import.meta.dir, '../../node_modules/bun-types')
const MIN_WORDS = 8
const MAX_LENGTH = 900
/** Part of the signs of a paragraph that are letters, so that tables and lists of links are left out. */
const MIN_LETTERS_PART = 0.65

/** The paragraphs of prose in that documentation, each once, in the order of their files' names. */
export function readProse(): string[] {
  const files = [...new Bun.Glob('**/*.{md,mdx}').scanSync(PACKAGE)].sort()
  const paragraphs = files.flatMap((file) => toParagraphs(readFileSync(join(PACKAGE, file), 'utf8')))
  return [...new Set(paragraphs)].filter(isProse)
}

const toParagraphs = (text: string) =>
  text
    .replace(/```[\s\S]*?```/g, '\n\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())

function isProse(text: string): boolean {
  if (text.length > MAX_LENGTH || text.split(/\s+/).length < MIN_WORDS) return false
  return (text.match(/\p{L}/gu) ?? []).length >= MIN_LETTERS_PART * text.length
}
