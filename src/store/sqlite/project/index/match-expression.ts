import type { Audience } from '../../../record.ts'
import { toTermPrefix, toVisibilityTerm } from './visibility-term.ts'

/** The part of the index that a query is answered from. */
export type IndexScope = {
  /** The visible audiences that have records in the scope, and the workspaces in which they have some. */
  parts: { audience: Audience; workspaceIds: number[] }[]
  /** Whether these are all records of the project, so that the match needs no visibility terms. */
  isWholeProject: boolean
  /** Whether these are all records of these audiences, and every entry has the prefixes that distinguish the terms of audiences. */
  isWholeAudiences: boolean
}

/** An FTS5 match expression. `isUnion`: it only joins posting lists by OR, so that its newest records can be found without reading the lists to the end. */
export type MatchExpression = { text: string; isUnion: boolean }

/** Matches records of the scope that have any of `terms`, and any of `requireAnyOf` where that is given. */
export function toMatch(scope: IndexScope, terms: string[], requireAnyOf: string[] | undefined): MatchExpression {
  const { parts, isWholeProject, isWholeAudiences } = scope
  const audiences = parts.map(({ audience }) => audience)
  const prefixes = new Set([...(isWholeAudiences ? [] : ['']), ...audiences.map(toTermPrefix)])
  const needsVisibility = !isWholeProject && !isWholeAudiences
  if (requireAnyOf !== undefined) {
    const both = `${anyOf(terms, prefixes)} AND ${anyOf(requireAnyOf, prefixes)}`
    return { text: needsVisibility ? `${both} AND (${toVisibilityMatch(scope)})` : both, isUnion: false }
  }
  return needsVisibility ? { text: toScopedMatch(scope, terms), isUnion: false } : { text: anyOf(terms, prefixes), isUnion: true }
}

/** Matches every record of the scope. */
export function toVisibilityMatch({ parts }: IndexScope): string {
  return parts.length > 0 ? parts.map(toPartMatch).join(' OR ') : NOTHING
}

function toPartMatch({ audience, workspaceIds }: IndexScope['parts'][0]): string {
  return workspaceIds.map((id) => quote(toVisibilityTerm(id, audience))).join(' OR ')
}

/** The terms of each audience with its own visibility terms: FTS5 intersects with one list ten times faster than with a union of two. */
function toScopedMatch({ parts }: IndexScope, terms: string[]): string {
  if (parts.length === 0) return NOTHING
  return parts.map((part) => `(${anyOf(terms, new Set(['', toTermPrefix(part.audience)]))} AND (${toPartMatch(part)}))`).join(' OR ')
}

/** Any of the terms with any of the prefixes or without one, since older versions of the analyzer wrote no prefixes. */
function anyOf(terms: string[], prefixes: Set<string>): string {
  if (prefixes.size === 0) return NOTHING
  return `(${terms.flatMap((term) => [...prefixes].map((prefix) => quote(prefix + term))).join(' OR ')})`
}

const quote = (term: string) => `"${term}"`

/** A visibility term that no record has. */
const NOTHING = quote(toVisibilityTerm(0, 'nobody'))
