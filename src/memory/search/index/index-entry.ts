import { type IndexEntry, phrasesOf, type RecordTexts } from '../../../store/record.ts'
import {
  ANALYZER_VERSION,
  type AnalyzedText,
  analyze,
  analyzeInSlices,
  analyzePhrases,
} from '../../../text/analyzer.ts'
import { packTokenCodes } from '../../../text/token-codes.ts'

/** What the index stores about a record. */
export function toEntry(texts: RecordTexts): IndexEntry {
  return fromAnalyzed(texts, analyze(texts.content))
}

/** As `toEntry`, but in slices between which it yields, so that a long text does not block the event loop. */
export async function toEntryInSlices(texts: RecordTexts): Promise<IndexEntry> {
  return fromAnalyzed(texts, await analyzeInSlices(texts.content))
}

function fromAnalyzed(texts: RecordTexts, { terms, language, length, codes }: AnalyzedText): IndexEntry {
  return withPhrases(
    { terms, language, length, codes: packTokenCodes(codes), rules: ANALYZER_VERSION },
    phrasesOf(texts),
  )
}

/**
 * The entry of a record without its phrases, which may change until it is written: `withPhrases` adds them inside the
 * write.
 */
export const toContentEntry = ({ content }: Pick<RecordTexts, 'content'>): Promise<IndexEntry> =>
  toEntryInSlices({ content, askedAs: null })

/** An entry that has further phrases. */
export function withPhrases(entry: IndexEntry, phrases: string[]): IndexEntry {
  if (phrases.length === 0) return entry
  const { terms, codes } = analyzePhrases(phrases, entry.language)
  return {
    ...entry,
    terms: `${entry.terms} ${terms}`,
    codes: entry.codes && Buffer.concat([entry.codes, packTokenCodes(codes)]),
  }
}

/** The texts of a record as search reads them. The length counts the content alone. */
export async function analyzeTexts(texts: RecordTexts): Promise<AnalyzedText> {
  const content = await analyzeInSlices(texts.content)
  const { terms, codes } = analyzePhrases(phrasesOf(texts), content.language)
  return {
    ...content,
    terms: `${content.terms} ${terms}`.trim(),
    codes: Uint32Array.from([...content.codes, ...codes]),
  }
}
