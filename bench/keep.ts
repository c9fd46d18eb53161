import type { Static } from 'typebox'
import { limitsOf } from '../src/account/limits/plan.ts'
import { type RememberArguments, toDraft } from '../src/memory/records/save/draft.ts'
import { saveDraft } from '../src/memory/records/save/save.ts'
import { visibleTo } from '../src/memory/visibility.ts'
import type { openBenchService } from './service.ts'

type Opened = Pick<Awaited<ReturnType<typeof openBenchService>>, 'service' | 'caller'>

/** Saves as `remember` does, but past the guard, which is not what is measured here. Returns the record's id. */
export async function keep({ service, caller }: Opened, args: Static<typeof RememberArguments>): Promise<string> {
  const draft = await toDraft(service, caller, args, service.clock.now())
  const { record } = await saveDraft(
    service.store.project(caller.projectId),
    visibleTo(caller),
    draft,
    limitsOf(caller.account),
  )
  return record.id
}
