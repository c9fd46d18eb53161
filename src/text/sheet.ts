import type { Form } from './form.ts'

/** Room to write the terms and codes of one text on, used for one text after the other. */
export type Sheet = {
  /** Writes a form. */
  write: (form: Form) => void
  /** Copies a form: its terms stand from `start` up to `middle`, its codes from there up to `end`. */
  copyTerms: (bytes: Uint8Array, start: number, middle: number) => void
  copyCodes: (bytes: Uint8Array, middle: number, end: number) => void
  /** What was written, and an empty sheet. */
  take: () => { terms: string; packed: Uint8Array }
}

const SPACE = 32
/** Most bytes of UTF-8 for a UTF-16 unit, and a space. */
const WIDEST = 3

export function createSheet(): Sheet {
  let terms = Buffer.alloc(1 << 12)
  let packed = Buffer.alloc(1 << 12)
  let termsEnd = 0
  let packedEnd = 0

  function copyTerms(bytes: Uint8Array, start: number, middle: number): void {
    if (start === middle) return
    if (terms.length <= termsEnd + middle - start) terms = grow(terms, middle - start)
    for (let at = start; at < middle; at++) terms[termsEnd++] = bytes[at] ?? 0
    terms[termsEnd++] = SPACE
  }

  function copyCodes(bytes: Uint8Array, middle: number, end: number): void {
    if (packed.length <= packedEnd + end - middle) packed = grow(packed, end - middle)
    for (let at = middle; at < end; at++) packed[packedEnd++] = bytes[at] ?? 0
  }

  return {
    copyTerms,
    copyCodes,
    write: ({ indexed, packed: codes }) => {
      copyCodes(codes, 0, codes.length)
      if (indexed === '') return
      const most = indexed.length * WIDEST
      if (terms.length <= termsEnd + most) terms = grow(terms, most)
      termsEnd += terms.write(indexed, termsEnd)
      terms[termsEnd++] = SPACE
    },
    take: () => {
      const taken = { terms: terms.toString('utf8', 0, Math.max(0, termsEnd - 1)), packed: new Uint8Array(packed.subarray(0, packedEnd)) }
      termsEnd = 0
      packedEnd = 0
      return taken
    },
  }
}

function grow(bytes: Buffer<ArrayBuffer>, more: number): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(2 * (bytes.length + more))
  larger.set(bytes)
  return larger
}
