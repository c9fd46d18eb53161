import type { ProjectReads } from '../../../store/project.ts'
import type { StoredRecord } from '../../../store/record.ts'

/** Versions of a fact that are shown. */
const MAX_VERSIONS = 20
/** Of those, records with derived keys that one version superseded. */
const MAX_DERIVED = 5

/** Records that state the same fact as a record, itself among them, in the order in which they were saved; and whether others are left out. */
export type Versions = { versions: StoredRecord[]; areMore: boolean }

/**
 * The versions of a record's fact, of its workspace and audience: those whose fact key was given, the ones forgotten last included, and those with derived keys that they superseded. Another record with the same
 * derived key is another note, which happens to begin with the same words.
 */
export async function listVersions(reads: ProjectReads, record: StoredRecord): Promise<Versions> {
  const given = (await reads.listVersions(record, MAX_VERSIONS + 1)).sort((a, b) => a.seq - b.seq)
  const own = record.factKeyGiven || given.some(({ id }) => id === record.supersededBy) ? given.slice(-MAX_VERSIONS) : []
  const derived = await Promise.all(own.map((version) => reads.listSupersededBy(version, MAX_DERIVED)))
  const notes = derived.flat().filter(({ factKeyGiven }) => !factKeyGiven)
  const all = new Map([record, ...own, ...notes].map((version) => [version.id, version]))
  return { versions: [...all.values()].sort((a, b) => a.seq - b.seq), areMore: given.length > MAX_VERSIONS }
}
