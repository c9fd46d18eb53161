import { diffArrays } from 'diff'
import { yieldIfDue } from '../cooperative.ts'

/** A run of words that both texts have, or one of them. */
export type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string }

/**
 * Share of the longer text that must be in both: a diff of two texts that have less in common is harder to read than
 * the two.
 */
const MIN_COMMON_SHARE = 0.25
/** With more edits no diff is made: finding it takes quadratic time, and the result says little. */
const MAX_EDITS = 400

/** Finds where words begin and end in every script, also those that put no blanks between words. */
const WORDS = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * What makes one text into another, word by word; undefined where more than 400 words, blanks or marks differ, or the
 * texts have little in common. Always the same for the same texts. Takes at most about 20 ms, for texts of 64 KiB,
 * and waits for its turn before that.
 */
export async function diffWords(before: string, after: string): Promise<DiffPart[] | undefined> {
  await yieldIfDue()
  const changes = diffArrays(toSegments(before), toSegments(after), { maxEditLength: MAX_EDITS })
  const parts = changes?.map(({ added, removed, value }): DiffPart => {
    return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value.join('') }
  })
  return parts !== undefined && haveMuchInCommon(parts, before, after) ? parts : undefined
}

/** The words of a text and what stands between them. */
const toSegments = (text: string): string[] => Array.from(WORDS.segment(text), ({ segment }) => segment)

function haveMuchInCommon(parts: DiffPart[], before: string, after: string): boolean {
  const countLetters = (text: string) => text.replaceAll(/\s/g, '').length
  const common = parts.filter(({ kind }) => kind === 'same').reduce((sum, { text }) => sum + countLetters(text), 0)
  return common >= MIN_COMMON_SHARE * Math.max(countLetters(before), countLetters(after))
}

/** With more lines, or more lines that differ, a diff takes too long: all of both texts are then said to differ. */
const MAX_LINES = 600
const MAX_LINE_EDITS = 100

/** What makes one text into another, line by line; each part has whole lines. Takes at most about 10 ms. */
export function diffLines(before: string, after: string): DiffPart[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const isShort = old.length + fresh.length <= MAX_LINES
  const changes = isShort ? diffArrays(old, fresh, { maxEditLength: MAX_LINE_EDITS }) : undefined
  return (
    changes?.map(({ added, removed, value }): DiffPart => {
      return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value.join('\n') }
    }) ?? [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  )
}
