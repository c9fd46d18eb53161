import { yieldIfDue } from '../../cooperative.ts'

/** Reads rows of the records with these numbers, of at most `size` of them at once. Other work of the process goes on before each batch. */
export async function readInBatches<Row>(seqs: number[], size: number, read: (batch: number[]) => Row[]): Promise<Row[]> {
  const found: Row[] = []
  for (let at = 0; at < seqs.length; at += size) {
    await yieldIfDue()
    found.push(...read(seqs.slice(at, at + size)))
  }
  return found
}
