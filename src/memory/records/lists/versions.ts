import type { ProjectReads } from '../../../store/project.ts'
import type { StoredRecord } from '../../../store/record.ts'

/** Maximum number of versions of a fact that are shown. */
const MAX_VERSIONS = 20

/** Maximum number of records with derived keys that are shown as superseded by one version. */
const MAX_DERIVED = 5

/** The versions of a fact in the order in which they were saved; `areMore`: some are left out. */
type Versions = { versions: StoredRecord[]; areMore: boolean }

/**
 * The versions of a record's fact, in its workspace and audience: the records whose fact key was given, recently
 * forgotten ones included, and those with derived keys that they superseded. Another record with the same derived key
 * is not a version: it only begins with the same words.
 */
export async function listVersions(reads: ProjectReads, record: StoredRecord): Promise<Versions> {
  const given = (await reads.listVersions(record, MAX_VERSIONS + 1)).sort((a, b) => a.seq - b.seq)
  const own =
    record.factKeyGiven || given.some(({ id }) => id === record.supersededBy) ? given.slice(-MAX_VERSIONS) : []
  const derived = await Promise.all(own.map(({ id }) => reads.listSupersededBy(id, { limit: MAX_DERIVED })))
  const { workspaceId, audience } = record
  const ofFact = derived
    .flat()
    .filter((head) => !head.factKeyGiven && head.workspaceId === workspaceId && head.audience === audience)
  const notes = await reads.findRecordsBySeq(
    undefined,
    ofFact.map(({ seq }) => seq),
  )
  const all = new Map([record, ...own, ...notes].map((version) => [version.id, version]))
  return { versions: [...all.values()].sort((a, b) => a.seq - b.seq), areMore: given.length > MAX_VERSIONS }
}
