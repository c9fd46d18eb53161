import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import type { Visible } from '../../record.ts'
import type { LanguageCount, TermCount } from '../../search.ts'
import { toTermPrefix } from './visibility-term.ts'
import { toVisibleParams } from './visible.ts'

type Parameters = [...visible: (string | null)[], workspaceId: number]

/** What an audience writes: its terms, and its languages. */
export function createTerms(client: Database): Pick<ProjectReads, 'listTerms' | 'readLanguages'> {
  const terms = client.prepare<TermCount, [number, string, string, number]>(
    'select substr(term, ?1) as term, doc as records from word_counts where term >= ?2 and term < ?3 limit ?4',
  )
  const languages = client.prepare<LanguageCount, Parameters>(
    `select language, sum(records) as records from languages where workspace_id = ?4 and (?1 is null or audience in (?1, ?2, ?3))
      group by language`,
  )
  return {
    listTerms: async ({ audience, first, end, limit }) => {
      const prefix = toTermPrefix(audience)
      return terms.all(prefix.length + 1, prefix + first, prefix + end, limit)
    },
    readLanguages: async (visible: Visible, workspaceId) => {
      const { v1, v2, v3 } = toVisibleParams(visible)
      return languages.all(v1, v2, v3, workspaceId)
    },
  }
}
