import type { ByStatus, countByAuthor } from '../../memory/overview/author-counts.ts'
import type { Project } from '../../store/account.ts'
import { type Html, html } from '../markup/html.ts'

/** Numbers of records by project and author. */
export type RecordCounts = Awaited<ReturnType<typeof countByAuthor>>

/** The heading of a column of records with a status. */
export const toLabel = (status: keyof ByStatus): string => status.charAt(0).toUpperCase() + status.slice(1)

/** Says what numbers of records are of, and which projects they lack. */
export function toCountNote(projects: Project[], counted: RecordCounts): Html {
  const missing = projects.filter(({ id }) => !counted.has(id)).map(({ name }) => name)
  return html`<p class="quiet">Only records that you see are counted: no drafts of others.${missing.length === 0 ? undefined : html` Not counted yet: <bdi>${missing.join(', ')}</bdi>.`}</p>`
}
