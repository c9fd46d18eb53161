import type { Random } from './random.ts'

/** Words of several scripts, some of which are cut badly when a file is read in chunks. */
const WORDS = [
  'crane',
  'harbour',
  'Zoë',
  '港口',
  '🌊',
  'naïve',
  '"quoted"',
  'back\\slash',
  'line\nbreak',
  '\u2028',
  'кран',
  '\u0000',
]
/** Stands in every line that is no blank one: `mark` and nine digits. */
export const MARK = /mark\d{9}/
const PICTURE = `iVBORw0KGgo${'A'.repeat(5_000)}`

/** What a history is written with: texts, times and marks. */
export type Writer = ReturnType<typeof createWriter>

/** A session that writes: where it is, and who it is. */
export type Session = { id: string; cwd: string; parentId?: string }

/** A line of a history. `mark` is undefined for one that is no record, such as a blank line. */
export type Line = { text: string; mark: string | undefined }

/** `plant` gives a text that is to stand somewhere in each line; `startMs` is the time of the first line. */
export function createWriter(random: Random, { plant, startMs }: { plant: () => string; startMs: number }) {
  let marks = 0
  let now = startMs

  const mark = () => `mark${String(++marks).padStart(9, '0')}`
  const text = () => [...Array.from({ length: 1 + random.below(30) }, () => random.pick(WORDS)), plant()].join(' ')

  return {
    random,
    mark,
    text,
    picture: () => (random.chance(0.1) ? PICTURE : 'none'),
    now: () => now,
    /** Milliseconds since 1970, later than any before. */
    tick: () => {
      now += 1 + random.below(30_000)
      return now
    },
    /** An object as a line, with a mark of its own as its first member. */
    line: (object: object): Line => {
      const own = mark()
      return { text: JSON.stringify({ mark: own, ...object }), mark: own }
    },
  }
}

/**
 * A line as no assistant should write it, and all of them have: of an unknown kind, cut off, glued together, zeros
 * after a crash, blank, or very long.
 */
export function toOddLine({ line, mark, text, random }: Writer): Line {
  const own = mark()
  const odd: (() => Line)[] = [
    () => line({ type: 'not-known-yet', nested: { list: [1, 2, [3]], text: text() } }),
    () => ({ text: `{"mark":"${own}","type":"us`, mark: own }),
    () => ({ text: `{"mark":"${own}","type":"us{"type":"user"}`, mark: own }),
    () => ({ text: `${own} ${'\0'.repeat(100)}`, mark: own }),
    () => ({ text: ' \t\r', mark: undefined }),
    () => line({ type: 'user', message: { role: 'user', content: 'x'.repeat(1_200_000) } }),
    () => line({ type: 'user', message: { role: 'user', content: [{ type: 'image', data: 'x'.repeat(2_500_000) }] } }),
  ]
  return random.pick(odd)()
}
