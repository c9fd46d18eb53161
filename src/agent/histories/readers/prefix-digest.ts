/** How much of a history is read again before its reading goes on: between one and two of these. */
export const BLOCK_BYTES = 64 * 1_024

/** A position from which the digest of a prefix can be computed on: the beginning of a block, and the digest of all blocks before it. */
export type Anchor = { at: number; chain: string }

export const BEGINNING: Anchor = { at: 0, chain: '' }

export type PrefixDigest = ReturnType<typeof createPrefixDigest>

/**
 * The digest of what a history holds before a position: a chain of SHA-256 over blocks of `BLOCK_BYTES`. So a prefix can be checked by its last blocks alone, from an anchor on,
 * or as a whole, from the beginning on. Digests stay on this machine.
 */
export function createPrefixDigest(anchor: Anchor) {
  let { at, chain } = anchor
  let last = anchor
  let block = new Bun.CryptoHasher('sha256').update(chain)

  function addToBlock(bytes: Uint8Array): void {
    block.update(bytes)
    at += bytes.length
    if (at % BLOCK_BYTES > 0) return
    last = { at: at - BLOCK_BYTES, chain }
    chain = block.digest('hex')
    block = new Bun.CryptoHasher('sha256').update(chain)
  }

  return {
    /** Parts that follow what was added before. */
    add: (parts: Uint8Array[]): void => {
      for (const part of parts) {
        for (let from = 0, missing = 0; from < part.length; from += missing) {
          missing = BLOCK_BYTES - (at % BLOCK_BYTES)
          addToBlock(part.subarray(from, from + missing))
        }
      }
    },
    position: () => at,
    /** Of all before `position()`. */
    digest: (): string => block.copy().digest('hex'),
    /** Beginning of the last block that is complete, or where this digest began. */
    anchor: () => last,
  }
}
