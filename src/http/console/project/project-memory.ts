import { requireActiveSubscription, type ToolAccess } from '../../../account/subscription/subscription.ts'
import { prepareShown, type ToShown } from '../../../memory/records/lists/shown-record.ts'
import { visibleTo } from '../../../memory/visibility.ts'
import type { ProjectStore } from '../../../store/project.ts'
import type { StoredRecord } from '../../../store/record.ts'
import { type PageRequest, type ProjectRequest, toProjectRequest } from '../page-request.ts'

/** A project, its store, and the view of records that the visitor may see. */
export type ProjectMemory = ProjectRequest & { memory: ProjectStore; prepareShown: (records: StoredRecord[]) => Promise<ToShown> }

/**
 * Opens the memory of the project in the path. Throws a Refusal for a project that the visitor may not open, and a Notice if the subscription does not permit
 * `access`.
 */
export async function openMemory(req: PageRequest, access: ToolAccess): Promise<ProjectMemory> {
  const place = await toProjectRequest(req)
  await requireActiveSubscription(req.service, place.caller, access)
  const memory = req.service.store.project(place.project.id)
  return { ...place, memory, prepareShown: (records) => prepareShown(req.service, memory, visibleTo(place.caller), records) }
}
