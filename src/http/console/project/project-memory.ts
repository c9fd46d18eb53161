import type { Caller } from '../../../account/auth/caller.ts'
import { requireActiveSubscription, type ToolAccess } from '../../../account/subscription/subscription.ts'
import { createShownRecord, type ShownRecord } from '../../../memory/records/shown-record.ts'
import { visibleTo } from '../../../memory/visibility.ts'
import type { ProjectStore } from '../../../store/project.ts'
import type { StoredRecord } from '../../../store/record.ts'
import { type PageRequest, type ProjectRequest, toProjectRequest } from '../page-request.ts'

/** A project's memory as a visitor sees it. */
export type ProjectMemory = ProjectRequest & { memory: ProjectStore; toShown: (record: StoredRecord) => Promise<ShownRecord> }

/** The memory of the project that the path names. Throws a Refusal for a project they may not open, and the Notice of the account's subscription. */
export async function openMemory(req: PageRequest, access: ToolAccess): Promise<ProjectMemory> {
  const place = await toProjectRequest(req)
  await requireActiveSubscription(req.service, place.caller, access)
  const memory = req.service.store.project(place.project.id)
  return { ...place, memory, toShown: createShownRecord(req.service, memory, visibleTo(place.caller)) }
}

/** What an act on a record of theirs is done with. */
export function toActingOn({ actor }: PageRequest, caller: Caller) {
  return { accountId: caller.accountId, projectId: caller.projectId, visible: visibleTo(caller), by: actor }
}

/** The page of the project that a form was posted from, to which its act returns: never a page elsewhere. */
export function readReturnPath(form: URLSearchParams, path: string, otherwise: string): string {
  const back = form.get('back') ?? ''
  const isOwn = back.startsWith(path) && /^([/?][\w\-./?=&%+~*]*)?$/.test(back.slice(path.length)) && !/(\.|%2e){2}/i.test(back)
  return isOwn ? back : otherwise
}
