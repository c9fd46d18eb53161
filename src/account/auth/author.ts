import type { Author } from '../../store/account.ts'
import type { AppContext } from '../context.ts'

/** Author of what the command line brings in for nobody in particular. */
export const OPERATOR = 'operator'

/** Names of authors as readers see them, by id: one read, however many. */
export async function authorNames({ store }: Pick<AppContext, 'store'>, ids: Set<string>): Promise<Map<string, string>> {
  const found = new Map((await store.control.findAuthors([...ids])).map((author) => [author.id, author]))
  return new Map([...ids].map((id) => [id, id === OPERATOR ? OPERATOR : toShownName(found.get(id))]))
}

const toShownName = (author: Author | undefined) => (author === undefined || author.removedAt !== null ? 'former member' : author.name)
