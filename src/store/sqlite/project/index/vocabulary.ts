import type { ProjectReads } from '../../../project.ts'
import type { LanguageCount, TermCount } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import { toVisibleList, type VisibleParams } from '../visible.ts'
import { toTermPrefix } from './visibility-term.ts'

/** Terms and languages of audiences, with how many records have each. */
export function createVocabularyReads(client: Connection): Pick<ProjectReads, 'listTerms' | 'readLanguages'> {
  const terms = client.statement<TermCount, [termStart: number, first: string, end: string, limit: number]>(
    'select substr(term, ?1) as term, doc as records from word_counts where term >= ?2 and term < ?3 limit ?4',
  )
  const inWorkspace = client.statement<LanguageCount, [...VisibleParams, workspaceId: number]>(
    `select language, sum(records) as records from languages where workspace_id = ?4 and (?1 is null or audience in (?1, ?2, ?3))
      group by language`,
  )
  const anywhere = client.statement<LanguageCount, VisibleParams>(
    'select language, sum(records) as records from languages where ?1 is null or audience in (?1, ?2, ?3) group by language',
  )
  return {
    listTerms: async ({ audience, first, end, limit }) => {
      const prefix = toTermPrefix(audience)
      return terms.all(prefix.length + 1, prefix + first, prefix + end, limit)
    },
    readLanguages: async (visible, workspaceId) =>
      workspaceId === undefined ? anywhere.all(...toVisibleList(visible)) : inWorkspace.all(...toVisibleList(visible), workspaceId),
  }
}
