import type { IndexEntry } from '../../../store/record.ts'
import { ANALYZER_VERSION, type AnalyzedText, analyze, analyzeInSlices } from '../../../text/analyzer.ts'
import { packTokenCodes } from '../../../text/token-codes.ts'

/** Token codes are stored if they take at most this share of the text's bytes. Otherwise, as for scripts without spaces, scoring analyzes the text again. */
const MAX_CODES_SHARE = 0.75

/** What the index stores about a text. */
export function toEntry(content: string): IndexEntry {
  return fromAnalyzed(content, analyze(content))
}

/** As `toEntry`, but in slices between which it yields, so that a long text does not block the event loop. */
export async function toEntryInSlices(content: string): Promise<IndexEntry> {
  return fromAnalyzed(content, await analyzeInSlices(content))
}

function fromAnalyzed(content: string, { terms, language, length, codes }: AnalyzedText): IndexEntry {
  const packed = packTokenCodes(codes)
  const isSmall = packed.length <= MAX_CODES_SHARE * Buffer.byteLength(content, 'utf8')
  return { terms, language, length, codes: isSmall ? packed : null, rules: ANALYZER_VERSION }
}
