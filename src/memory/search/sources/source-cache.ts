import { createLru, type Lru } from '../../../cache/lru.ts'
import type { ProjectStore } from '../../../store/project.ts'
import type { Visible } from '../../../store/record.ts'
import type { RecordSequence, SourcePart, SourcePlace } from '../../../store/search.ts'
import {
  addPart,
  addRecord,
  createSourceMap,
  type RecordSources,
  type SourceMap,
  viewSources,
  withRoom,
} from './record-sources.ts'

/**
 * The source map of a project up to a record number. `size` is in 32-bit numbers; `map` is undefined if it would be too
 * large.
 */
type CachedMap = RecordSequence & { map: SourceMap | undefined; size: number }

/**
 * Source maps of recently searched projects. `maps`: key is the project; bound 2^24 32-bit numbers in total; a map is
 * extended by records added since, and rebuilt after any was forgotten, restored or erased. `views`: key is a state
 * (project, its version, workspace and audiences); bound 2^22 numbers. Owned by the service. Building the map of
 * 100 000 records takes 25 ms, too long for every search.
 */
export type SourceCache = {
  maps: Lru<string, CachedMap>
  views: Lru<string, RecordSources>
  /** Maps being built, so that concurrent searches wait for the same one. */
  loading: Map<string, Promise<CachedMap>>
}

const MAX_MAP_NUMBERS = 1 << 24
const MAX_VIEW_NUMBERS = 1 << 22
const MAX_PROJECTS = 1_000
/** Memory of a part, in 32-bit numbers. */
const NUMBERS_PER_PART = 14
/** Records read at once, which takes some milliseconds. */
const PAGE_RECORDS = 4_096
/**
 * With more new records than this a map is rebuilt, because looking up a single record takes as long as reading ten in
 * a page.
 */
const MAX_ADDED_RECORDS = 1_024

export const createSourceCache = (): SourceCache => ({
  maps: createLru({ maxEntries: MAX_PROJECTS, maxTotalSize: MAX_MAP_NUMBERS, sizeOf: ({ size }) => size }),
  views: createLru({
    maxEntries: MAX_PROJECTS,
    maxTotalSize: MAX_VIEW_NUMBERS,
    sizeOf: ({ sizes, sourceOfPart }) => sizes.length + sourceOfPart.length,
  }),
  loading: new Map(),
})

/**
 * What is searched. `sequence` was read before any record, so that a record forgotten meanwhile makes the map outdated.
 */
type Searched = {
  project: ProjectStore
  projectId: string
  visible: Visible
  workspaceId: number | undefined
  state: string
  sequence: RecordSequence
}

/** The sources of the searched part; undefined for a project whose map would be too large. */
export async function readSources(
  cache: SourceCache,
  { project, projectId, visible, workspaceId, state, sequence }: Searched,
): Promise<RecordSources | undefined> {
  const known = cache.views.get(state)
  if (known !== undefined) return known
  const { map } = await readMap(cache, project, projectId, sequence)
  if (map === undefined) return undefined
  const view = viewSources(map, visible, workspaceId)
  cache.views.set(state, view)
  return view
}

async function readMap(
  cache: SourceCache,
  project: ProjectStore,
  projectId: string,
  present: RecordSequence,
): Promise<CachedMap> {
  for (;;) {
    const cached = cache.maps.get(projectId)
    const isFormer =
      cached === undefined || cached.epoch !== present.epoch || present.lastSeq - cached.lastSeq > MAX_ADDED_RECORDS
    if (isFormer) return loadShared(cache, project, projectId, present)
    if (cached.map === undefined || cached.lastSeq >= present.lastSeq) return cached
    const added = await project.listAddedToSources(cached.lastSeq, present.lastSeq)
    // Another search may have extended the same map meanwhile.
    if (cache.maps.peek(projectId) !== cached) continue
    const map = withRoom(cached.map, present.lastSeq)
    for (const record of added) addRecord(map, record)
    return keep(cache, projectId, present, map)
  }
}

function keep({ maps }: SourceCache, projectId: string, present: RecordSequence, map: SourceMap): CachedMap {
  const size = sizeOf(map)
  const cached = size > MAX_MAP_NUMBERS ? { ...present, map: undefined, size: 0 } : { ...present, map, size }
  maps.set(projectId, cached)
  return cached
}

const sizeOf = ({ parts, partOf }: SourceMap) => partOf.length + NUMBERS_PER_PART * parts.length

function loadShared(
  cache: SourceCache,
  project: ProjectStore,
  projectId: string,
  present: RecordSequence,
): Promise<CachedMap> {
  const key = `${projectId} ${present.epoch} ${present.lastSeq}`
  const known = cache.loading.get(key)
  if (known !== undefined) return known
  const loading = load(project, present)
    .then((map) => keep(cache, projectId, present, map))
    .finally(() => cache.loading.delete(key))
  cache.loading.set(key, loading)
  return loading
}

/**
 * The map of all records with numbers up to `lastSeq`. Stops early once the map is too large, which `keep` then
 * discards.
 */
async function load(project: ProjectStore, { lastSeq }: RecordSequence): Promise<SourceMap> {
  const map = createSourceMap(Math.min(lastSeq, MAX_MAP_NUMBERS))
  let last: SourcePart | undefined
  for (let count = PAGE_RECORDS; count === PAGE_RECORDS && sizeOf(map) <= MAX_MAP_NUMBERS; ) {
    const parts: SourcePart[] = await project.listSourceParts({
      after: last && endOf(last),
      lastSeq,
      limit: PAGE_RECORDS,
    })
    count = 0
    for (const part of parts) {
      addPart(map, part, last)
      last = part
      count += part.seqs.length
    }
  }
  return map
}

const endOf = ({ workspaceId, sourceId, audience, seqs }: SourcePart): SourcePlace => ({
  workspaceId,
  sourceId,
  audience,
  seq: seqs[seqs.length - 1] ?? 0,
})
