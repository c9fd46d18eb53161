import { toEntry } from '../../src/memory/search/index/index-entry.ts'
import type { NewRecord } from '../../src/store/record.ts'
import type { startService } from '../start-service.ts'

/** Of a running service, what the first key's holder saves into. */
type Running = Pick<Awaited<ReturnType<typeof startService>>, 'service' | 'project' | 'owner'>

/**
 * Puts records into the workspace `default`, in a few writes, as saves of the first key's holder would have left them.
 */
export async function insertRecords(
  { service, project, owner }: Running,
  records: Partial<NewRecord>[],
): Promise<void> {
  const entries = new Map<string, NewRecord['entry']>()
  const store = service.store.project(project.id)
  const workspace = await store.write(
    async (tx) => (await tx.findWorkspace('default')) ?? tx.insertWorkspace('default', 0),
  )
  const entryOf = (content: string) => {
    const entry = entries.get(content) ?? toEntry({ content, askedAs: null })
    entries.set(content, entry)
    return entry
  }
  for (let at = 0; at < records.length; at += 50) {
    await store.write(async (tx) => {
      for (const record of records.slice(at, at + 50)) {
        const { content = 'a note' } = record
        await tx.insertRecord({
          id: Bun.randomUUIDv7(),
          workspaceId: workspace.id,
          audience: '*',
          authorId: owner.id,
          content,
          factKey: 'note',
          factKeyGiven: false,
          status: 'unverified',
          supersededBy: null,
          sourceId: null,
          sourceHash: null,
          askedAs: null,
          createdAt: 1,
          expiresAt: null,
          forgottenAt: null,
          refreshedAt: null,
          verifiedAt: null,
          needsReview: false,
          marked: false,
          entry: entryOf(content),
          ...record,
        })
      }
    })
  }
}
