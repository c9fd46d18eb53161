import type { IndexEntry } from '../../store/record.ts'
import { ANALYZER_VERSION, type AnalyzedText, analyze, analyzeInSlices } from '../../text/analyzer.ts'
import { packTokenCodes } from '../../text/token-codes.ts'

/** Codes are kept where they take at most this share of the text: scripts without spaces are read from the text instead. */
const MAX_TOKENS_SHARE = 0.75

/** What the index is to hold of a content. */
export function toEntry(content: string): IndexEntry {
  return asEntry(content, analyze(content))
}

/** The same as `toEntry`, a slice at a time. */
export async function toEntryInSlices(content: string): Promise<IndexEntry> {
  return asEntry(content, await analyzeInSlices(content))
}

function asEntry(content: string, { terms, language, length, codes }: AnalyzedText): IndexEntry {
  const packed = packTokenCodes(codes)
  const small = packed.length <= MAX_TOKENS_SHARE * Buffer.byteLength(content, 'utf8')
  return { terms, language, length, codes: small ? packed : null, rules: ANALYZER_VERSION }
}
