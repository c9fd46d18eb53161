import { toComparableContent, toComparableKey } from '../text/comparable.ts'
import type { SavedFields } from './record.ts'

/** Scratch memory for a digest. */
const digest = Buffer.alloc(32)

/** The first 52 bits of the SHA-256 of a text, a number that databases and JavaScript represent exactly. */
function hash(text: string): number {
  Bun.SHA256.hash(text, digest)
  return digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4)
}

/** Hash of a content in comparable form. */
export const toContentHash = (content: string): number => hash(toComparableContent(content))

/** Hash of a fact key in comparable form. */
export const toKeyHash = (factKey: string): number => hash(toComparableKey(factKey))

/** The fields of a save, but its workspace, which may not exist yet, and its content. */
type Origin = Omit<SavedFields, 'workspaceId' | 'content'>

/**
 * Hash of all that makes two saves of a workspace the same; `contentHash` is the hash of its content. Of two saves with
 * the same hash, `isSameSave` tells whether they are.
 */
export const toSaveHash = (origin: Origin, contentHash: number): number => hash(`${toText(origin)}\0${contentHash}`)

export const isSameSave = (one: Origin & { content: string }, other: Origin & { content: string }): boolean =>
  toText(one) === toText(other) && toComparableContent(one.content) === toComparableContent(other.content)

/** The author counts only without a source. */
const toText = ({ audience, authorId, sourceId, factKey }: Origin): string =>
  [audience, toComparableKey(factKey), sourceId === null ? `by ${authorId}` : `of ${sourceId}`].join('\0')
