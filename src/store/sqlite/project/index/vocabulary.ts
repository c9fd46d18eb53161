import type { ProjectReads } from '../../../project.ts'
import type { TermCount } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import { toTermPrefix } from './visibility-term.ts'

/** Terms of audiences, with how many records have each. */
export function createVocabularyReads(client: Connection): Pick<ProjectReads, 'listTerms'> {
  const terms = client.statement<TermCount, [termStart: number, first: string, end: string, limit: number]>(
    'select substr(term, ?1) as term, doc as records from word_counts where term >= ?2 and term < ?3 limit ?4',
  )
  return {
    listTerms: async ({ audience, first, end, limit }) => {
      const prefix = toTermPrefix(audience)
      return terms.all(prefix.length + 1, prefix + first, prefix + end, limit)
    },
  }
}
