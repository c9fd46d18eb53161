import type { Audience, Visible } from '../../../store/record.ts'
import type { AddedToSource, SourcePart } from '../../../store/search.ts'

/**
 * The records of one source that have the same audience. `source` is a number from 1 on; equal names in two workspaces
 * are two sources.
 */
type Part = { source: number; workspaceId: number; audience: Audience; records: number }

/**
 * Maps the records of a project to sources. `partOf[seq]` is the index in `parts` of record `seq`, 0 if it has no
 * source. `sources` is their number.
 */
export type SourceMap = { parts: Part[]; partOf: Uint32Array | number[]; sources: number }

/**
 * The part of a source map that a caller may see. `sourceOfPart` is the source of each part, 0 for a hidden one;
 * `sizes` is the number of visible records of each source, `sources` the number of sources that have any, and `records`
 * their total number of visible records.
 */
export type RecordSources = {
  map: SourceMap
  sourceOfPart: Uint32Array
  sizes: Uint32Array
  sources: number
  records: number
}

/** Fills index 0 of `parts`, which means "no source". */
const NO_PART: Part = { source: 0, workspaceId: 0, audience: '', records: 0 }

/** An empty map for record numbers up to `lastSeq`; without it, a sparse map for few records. */
export function createSourceMap(lastSeq?: number): SourceMap {
  return { parts: [NO_PART], partOf: lastSeq === undefined ? [] : new Uint32Array(lastSeq + 1), sources: 0 }
}

/** The map with room for record numbers up to `lastSeq`; if it has to grow, by an eighth more than that. */
export function withRoom(map: SourceMap, lastSeq: number): SourceMap {
  if (lastSeq < map.partOf.length) return map
  const partOf = new Uint32Array(Math.ceil(lastSeq * 1.125) + 1)
  partOf.set(map.partOf)
  return { ...map, partOf }
}

/**
 * Adds a part, or the continuation of one, in the order in which the store lists them (all parts of a source in a row).
 * `last` is the one added before.
 */
export function addPart(
  map: SourceMap,
  { workspaceId, sourceId, audience, seqs }: SourcePart,
  last: SourcePart | undefined,
): void {
  const isSameSource = last !== undefined && last.workspaceId === workspaceId && last.sourceId === sourceId
  if (!isSameSource) map.sources += 1
  if (!isSameSource || last.audience !== audience)
    map.parts.push({ source: map.sources, workspaceId, audience, records: 0 })
  const number = map.parts.length - 1
  for (let at = 0; at < seqs.length; at++) map.partOf[seqs[at] ?? 0] = number
  const part = map.parts[number]
  if (part !== undefined) part.records += seqs.length
}

/** Adds a record with a number larger than all others, for which the map must have room. */
export function addRecord(map: SourceMap, { seq, workspaceId, audience, earlier }: AddedToSource): void {
  const beside = earlier === null ? 0 : (map.partOf[earlier] ?? 0)
  const source = beside === 0 ? ++map.sources : (map.parts[beside]?.source ?? 0)
  const isSamePart = beside !== 0 && map.parts[beside]?.audience === audience
  if (!isSamePart) map.parts.push({ source, workspaceId, audience, records: 0 })
  const number = isSamePart ? beside : map.parts.length - 1
  map.partOf[seq] = number
  const part = map.parts[number]
  if (part !== undefined) part.records += 1
}

/**
 * What the audiences `visible` see of the sources of one workspace, or of all. Time is linear in the number of parts.
 */
export function viewSources(map: SourceMap, visible: Visible, workspaceId: number | undefined): RecordSources {
  const { parts } = map
  const view = {
    map,
    sourceOfPart: new Uint32Array(parts.length),
    sizes: new Uint32Array(map.sources + 1),
    sources: 0,
    records: 0,
  }
  parts.forEach((part, at) => {
    const isSearched = workspaceId === undefined || part.workspaceId === workspaceId
    if (at === 0 || !isSearched || visible?.includes(part.audience) === false) return
    const before = view.sizes[part.source] ?? 0
    view.sourceOfPart[at] = part.source
    view.sizes[part.source] = before + part.records
    view.sources += before === 0 ? 1 : 0
    view.records += part.records
  })
  return view
}

/** The number of a record's source; 0 if it has none that the caller sees. */
export const sourceOf = ({ map, sourceOfPart }: RecordSources, seq: number): number =>
  sourceOfPart[map.partOf[seq] ?? 0] ?? 0
