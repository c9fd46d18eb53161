import type { Audience, Visible } from '../../../store/record.ts'
import type { AddedToSource, SourcePart } from '../../../store/search.ts'

/** The records of one source that one audience sees. `source` numbers the sources of a project, each of one workspace, from 1 on. */
type Part = { source: number; workspaceId: number; audience: Audience; records: number }

/** Which source each record of a project is of. `partOf` has for the number of a record that of its part, and 0 where it has no source. */
export type SourceMap = { parts: Part[]; partOf: Uint32Array | number[]; sources: number }

/**
 * What a caller sees of it. `sourceOfPart` has for each part the number of its source, and 0 for one that the caller may not see; `sizes` how many records each source
 * has, `sources` how many have any, and `records` how many they have together.
 */
export type RecordSources = { map: SourceMap; sourceOfPart: Uint32Array; sizes: Uint32Array; sources: number; records: number }

/** Stands at the place 0, which is no part's. */
const NO_PART: Part = { source: 0, workspaceId: 0, audience: '', records: 0 }

/** A map with room for records of numbers up to `lastSeq`; without it one of few records, whatever their numbers are. */
export function createSourceMap(lastSeq?: number): SourceMap {
  return { parts: [NO_PART], partOf: lastSeq === undefined ? [] : new Uint32Array(lastSeq + 1), sources: 0 }
}

/** The map with room for records of numbers up to `lastSeq`, and for an eighth more where there was too little. */
export function withRoom(map: SourceMap, lastSeq: number): SourceMap {
  if (lastSeq < map.partOf.length) return map
  const partOf = new Uint32Array(Math.ceil(lastSeq * 1.125) + 1)
  partOf.set(map.partOf)
  return { ...map, partOf }
}

/** A part, or the rest of one, as the store lists them: `last` is the one listed before it, and the parts of a source follow one another. */
export function addPart(map: SourceMap, { workspaceId, sourceId, audience, seqs }: SourcePart, last: SourcePart | undefined): void {
  const isSameSource = last !== undefined && last.workspaceId === workspaceId && last.sourceId === sourceId
  if (!isSameSource) map.sources += 1
  if (!isSameSource || last.audience !== audience) map.parts.push({ source: map.sources, workspaceId, audience, records: 0 })
  const number = map.parts.length - 1
  for (let at = 0; at < seqs.length; at++) map.partOf[seqs[at] ?? 0] = number
  const part = map.parts[number]
  if (part !== undefined) part.records += seqs.length
}

/** Adds a record behind all others, for which the map has room. */
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

/** What some audiences see of the sources of a workspace, or of all. Takes time by the number of parts. */
export function viewSources(map: SourceMap, visible: Visible, workspaceId: number | undefined): RecordSources {
  const { parts } = map
  const view = { map, sourceOfPart: new Uint32Array(parts.length), sizes: new Uint32Array(map.sources + 1), sources: 0, records: 0 }
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

/** The number of a record's source, 0 where it has none that the caller sees. */
export const sourceOf = ({ map, sourceOfPart }: RecordSources, seq: number): number => sourceOfPart[map.partOf[seq] ?? 0] ?? 0
