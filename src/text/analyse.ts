import { condenseInSlices, type TermBuffer, toTermBuffer } from './condense.ts'
import { unpack } from './pack.ts'

/** Names the rules by which texts become terms. A change of the rules, a list or a stemmer takes the next number, and indexes are rebuilt. */
export const ANALYZER_VERSION = 5

/** What is kept of a text for search, ready to be scored: its codes one by one. */
export type AnalyzedText = Omit<TermBuffer, 'packed'> & { codes: Uint32Array }

/** What search keeps of a text. Never throws; the same text always gives the same. */
export function analyze(text: string): AnalyzedText {
  return toAnalysed(toTermBuffer(text))
}

/** The same as `analyse`, a slice at a time. */
export async function analyseInSlices(text: string): Promise<AnalyzedText> {
  return toAnalysed(await condenseInSlices(text))
}

function toAnalysed({ packed, ...condensed }: TermBuffer): AnalyzedText {
  return { ...condensed, codes: unpack(packed) }
}
