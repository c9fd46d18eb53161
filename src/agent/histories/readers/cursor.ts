import type { Anchor } from './prefix-digest.ts'

/** How far a file was read, and the digest of what was read. */
export type FilePosition = {
  /** In bytes of the uncompressed content; directly after a line feed, or 0. */
  offset: number
  /** Digest of the bytes before it. */
  digest: string
  anchor: Anchor
  device: number
  inode: number
}

/** @throws SyntaxError if the text is no cursor of a file. */
export function parseFilePosition(cursor: string): FilePosition {
  const { v, at, digest, anchor, file } = JSON.parse(cursor)
  if (v !== 1) throw new SyntaxError('the position in a history is not of this release')
  return { offset: at, digest, anchor: { at: anchor[0], chain: anchor[1] }, device: file[0], inode: file[1] }
}

export function toCursor({ offset, digest, anchor, device, inode }: FilePosition): string {
  return JSON.stringify({ v: 1, at: offset, digest, anchor: [anchor.at, anchor.chain], file: [device, inode] })
}
