import { yieldIfDue } from '../../cooperative.ts'

/** Reads rows of the records with these numbers in batches of at most `size`, yielding before each. */
export async function readInBatches<Row>(seqs: number[], size: number, read: (batch: number[]) => Promise<Row[]> | Row[]): Promise<Row[]> {
  const found: Row[] = []
  for (let at = 0; at < seqs.length; at += size) {
    await yieldIfDue()
    found.push(...(await read(seqs.slice(at, at + size))))
  }
  return found
}
