import { expect } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import type { Entry } from '../../../src/memory/transfer/entry.ts'
import { importRecords } from '../../../src/memory/transfer/import-records.ts'
import type { startService } from '../../start-service.ts'

/**
 * Imports entries into the project of a running service, of which none may be refused. `progress` is called after each
 * batch.
 */
export function importAll(
  { service, project, owner }: Awaited<ReturnType<typeof startService>>,
  entries: Entry[],
  progress = () => {},
) {
  return importRecords(service, COMMAND_LINE, {
    projectId: project.id,
    workspace: undefined,
    member: owner,
    items: (async function* () {
      yield { where: 'the file', entries }
    })(),
    watch: { refused: (where, reason) => expect.unreachable(`${where}: ${reason}`), progress, isStopped: () => false },
  })
}
