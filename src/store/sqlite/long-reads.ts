import { yieldIfDue } from '../../cooperative.ts'

/**
 * A read that takes long, or that callers repeat for one part of a long list after another, as one that waits for its
 * turn among the long work of the process. So whoever reads a long list lets other work go on before each part.
 */
export const inTurn =
  <Args extends unknown[], Result>(read: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    await yieldIfDue()
    return read(...args)
  }

/** Reads what is known of these in batches of at most `size`, each in its turn. */
export async function readInBatches<Of, Row>(
  all: Of[],
  size: number,
  read: (batch: Of[]) => Promise<Row[]>,
): Promise<Row[]> {
  const readBatch = inTurn(read)
  const found: Row[] = []
  for (let at = 0; at < all.length; at += size) found.push(...(await readBatch(all.slice(at, at + size))))
  return found
}
