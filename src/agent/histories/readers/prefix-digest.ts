/** Block size of the digest. Between one and two blocks are read again before reading continues. */
export const BLOCK_BYTES = 64 * 1_024

/** A position from which the digest of a prefix can be continued: the start of a block, and the digest of all blocks before it. */
export type Anchor = { at: number; chain: string }

export const BEGINNING: Anchor = { at: 0, chain: '' }

export type PrefixDigest = ReturnType<typeof createPrefixDigest>

/**
 * The digest of a prefix of a history: a hash chain (SHA-256) over blocks of `BLOCK_BYTES`. A prefix can thus be verified by its last blocks only, from an
 * anchor, or completely. Digests never leave this machine.
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
    /** Adds the parts that follow. */
    add: (parts: Uint8Array[]): void => {
      for (const part of parts) {
        for (let from = 0, missing = 0; from < part.length; from += missing) {
          missing = BLOCK_BYTES - (at % BLOCK_BYTES)
          addToBlock(part.subarray(from, from + missing))
        }
      }
    },
    position: () => at,
    /** The digest of everything before `position()`. */
    digest: (): string => block.copy().digest('hex'),
    /** The start of the last complete block, or where this digest began. */
    anchor: () => last,
  }
}
