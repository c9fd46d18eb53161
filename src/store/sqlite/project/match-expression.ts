import type { Audience } from '../../record.ts'
import { toTermPrefix, toVisibilityTerm } from './visibility-term.ts'

/** The part of the index that a query is answered from. */
export type IndexScope = {
  workspaceId: number
  /** Those of the visible audiences that have records in the workspace. */
  audiences: Audience[]
  /** Whether these are all records of the project, so that the match needs no visibility terms. */
  isWholeProject: boolean
}

/** An FTS5 match expression. `isUnion` where it only joins posting lists by OR: its newest records are found without reading the lists to the end. */
export type MatchExpression = { text: string; isUnion: boolean }

/** Matches records of the scope that have any of `terms`, and any of `requireAnyOf` where that is given. */
export function toMatch(scope: IndexScope, terms: string[], requireAnyOf: string[] | undefined): MatchExpression {
  const { audiences, isWholeProject } = scope
  if (requireAnyOf !== undefined) {
    const both = `${anyOf(terms, audiences)} AND ${anyOf(requireAnyOf, audiences)}`
    return { text: isWholeProject ? both : `${both} AND (${toVisibilityMatch(scope)})`, isUnion: false }
  }
  return isWholeProject ? { text: anyOf(terms, audiences), isUnion: true } : { text: toScopedMatch(scope, terms), isUnion: false }
}

/** Matches every record of the scope. */
export function toVisibilityMatch({ workspaceId, audiences }: IndexScope): string {
  const terms = audiences.map((audience) => quote(toVisibilityTerm(workspaceId, audience)))
  return terms.length > 0 ? terms.join(' OR ') : NOTHING
}

/** Each audience's terms with its own visibility term: FTS5 intersects with one list ten times faster than with a union of two. */
function toScopedMatch({ workspaceId, audiences }: IndexScope, terms: string[]): string {
  if (audiences.length === 0) return NOTHING
  return audiences.map((audience) => `(${anyOf(terms, [audience])} AND ${quote(toVisibilityTerm(workspaceId, audience))})`).join(' OR ')
}

/** Any of the terms, with the prefix of each audience; and without, as older versions of the analyzer wrote all of them. */
function anyOf(terms: string[], audiences: Audience[]): string {
  const prefixes = new Set(['', ...audiences.map(toTermPrefix)])
  return `(${terms.flatMap((term) => [...prefixes].map((prefix) => quote(prefix + term))).join(' OR ')})`
}

const quote = (term: string) => `"${term}"`

/** A visibility term that no record has. */
const NOTHING = quote(toVisibilityTerm(0, 'nobody'))
