import { isOperatingMember } from '../../account/auth/authorize.ts'
import { DAY_MS } from '../../clock.ts'
import { findLastBackup } from '../../maintenance/back-up-in-folder.ts'
import type { PresentOverview } from '../../memory/overview/read-overview.ts'
import { countOf } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { BACKUPS_PATH } from '../operator/backups.ts'
import type { ProjectRequest } from '../page.ts'

/** Something that waits for a person, and the page where it is done. */
type NextStep = { text: string; path: string }

const MAX_BACKUP_AGE_MS = 7 * DAY_MS

/** What to do next, the most urgent first: at most three lines, none if nothing waits. */
export async function toNextSteps(req: ProjectRequest, { numbers }: PresentOverview): Promise<Html | undefined> {
  const { service, project, path } = req
  const contradictions = numbers?.contradictions ?? 0
  const questions = project.keepsQuestions ? await service.store.project(project.id).countQuestions() : 0
  const steps: NextStep[] = []
  if (await isBackupOverdue(req)) steps.push({ text: 'No backup was made in the last seven days', path: BACKUPS_PATH })
  if (contradictions > 0)
    steps.push({
      text: `${countOf(contradictions, 'contradiction')} to resolve`,
      path: `${path}/review?kind=contradictions`,
    })
  if (questions > 0) steps.push({ text: countOf(questions, 'unanswered question'), path: `${path}/calls/unanswered` })
  if (steps.length === 0) return undefined
  const items = steps.map(({ text, path }) => html`<li><a href="${path}">${text}</a></li>\n`)
  return html`<section class="next"><h2>What to do next</h2><ul>${items}</ul></section>`
}

/** Whether the visitor may make backups, and none was made for a week. */
async function isBackupOverdue({ service, visitor }: ProjectRequest): Promise<boolean> {
  const { config, clock, store } = service
  if (config.databaseUrl !== undefined || !(await isOperatingMember(store.control, visitor))) return false
  const last = findLastBackup(service)?.madeAt ?? visitor.account.createdAt
  return clock.now() - last > MAX_BACKUP_AGE_MS
}
