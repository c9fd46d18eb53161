import { listVisibleProjects } from '../../../account/organizations/project-access.ts'
import { yieldIfDue } from '../../../cooperative.ts'
import { visibleTo } from '../../../memory/visibility.ts'
import type { AuditEntry } from '../../../store/audit.ts'
import type { PageRequest } from '../page-request.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** For each event, the path of the record it is about; undefined if there is none, or the visitor may not see it. */
export async function findRecordPaths(req: PageRequest, entries: AuditEntry[]): Promise<(string | undefined)[]> {
  const { service, visitor } = req
  const open = new Set((await listVisibleProjects(service, visitor)).map(({ id }) => id))
  const visible = visibleTo({ authorId: visitor.member.id, departmentId: visitor.member.departmentId ?? undefined })
  const paths: (string | undefined)[] = []
  for (const { act, projectId, target } of entries) {
    const isRecord = act.startsWith('record.') && projectId !== null && open.has(projectId) && target !== null && ID.test(target)
    await yieldIfDue()
    const found = isRecord ? await service.store.project(projectId).findRecord(visible, target, { forgotten: true }) : undefined
    paths.push(found && `/console/projects/${projectId}/records/${found.id}`)
  }
  return paths
}
