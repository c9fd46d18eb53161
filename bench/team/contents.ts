import type { Draw } from '../../test/builders/planted-secrets.ts'

const SUBJECTS = ['the release', 'the invoice run', 'the staging server', 'the newsletter', 'the on-call plan']
const VERBS = ['moves to', 'is owned by', 'waits for', 'follows', 'is written down in']
const OBJECTS = ['the blue team', 'the second Tuesday', 'the office in Lyon', 'the green wiki', 'the new supplier']

/** A content of its own for each number, which a search for the number finds. */
export function toContent(number: number, draw: Draw): string {
  const one = (words: string[]) => words[draw(words.length)]
  return `Decision ${number}: ${one(SUBJECTS)} ${one(VERBS)} ${one(OBJECTS)}.`
}
