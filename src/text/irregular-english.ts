import irregularForms from './lists/irregular-english.txt' with { type: 'text' }
import { readWordLists } from './word-lists.ts'

const BASE_BY_FORM = new Map<string, string>()
for (const [base, forms] of readWordLists(irregularForms))
  for (const form of forms.split(' ')) BASE_BY_FORM.set(form, base)

/** The base form of an irregular English word; undefined for every other word. */
export function baseOf(word: string): string | undefined {
  return BASE_BY_FORM.get(word)
}
