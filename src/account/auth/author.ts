import type { AppContext } from '../context.ts'

/** Author of what the command line brings in for nobody in particular. */
export const OPERATOR = 'operator'

/** An author's name as readers see it. */
export async function authorName({ store }: AppContext, authorId: string): Promise<string> {
  if (authorId === OPERATOR) return OPERATOR
  const author = await store.control.findAuthor(authorId)
  return author === undefined || author.removedAt !== null ? 'former member' : author.name
}
