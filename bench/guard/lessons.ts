import { DESCRIBED_FACTOR, visitWindows, type Window } from '../../src/guard/classifier/classifier.ts'
import { FEATURES_PER_TOKEN, sumWording } from '../../src/guard/classifier/features.ts'
import { findEvidence } from '../../src/guard/rules/evidence.ts'
import { buildPhrases } from '../../src/guard/scan/lists.ts'
import { CHARACTER, STEM, type Tokens, tokenize, VALUES_PER_TOKEN, WORD } from '../../src/guard/scan/tokens.ts'
import { toPlain } from '../../src/guard/views/views.ts'
import { type Example, seeded } from './fit.ts'
import { growCorpus } from './grow.ts'
import { readProse } from './prose.ts'
import { isPermissive, readHarmless, readRows, readWritten } from './rows.ts'

/**
 * A text to be learned from. `origin`: its row, template or paragraph, and no two texts have the same; `writer`,
 * `family`, `lang`: what a text may be left out by.
 */
export type Taught = {
  text: string
  attack: boolean
  weight: number
  origin: number
  lang: string
  family: string
  writer: string
  source: string
}
/** `stems`: the stems of its words. */
export type Lesson = Taught & { example: Example; stems: Int32Array }

const SEED = 20_261
/** Texts grown from each template. */
const TEXTS_PER_TEMPLATE = 12
const TEXTS_PER_EFFECT = 8
/**
 * Weights of texts by where they come from: what users save resembles notes most, and texts of others more than those
 * of one hand.
 */
const WEIGHTS = {
  attackTemplate: 2,
  harmlessTemplate: 12,
  attackRow: 1,
  harmlessRow: 16,
  harmless: 4,
  note: 24,
  attack: 12,
}
/** Words of a fragment of a harmless text: short notes have little by which to tell that they are harmless. */
const MAX_FRAGMENT_WORDS = 10
/**
 * Kinds of attacks that are not learned from: those that the guard does not promise to catch, and obfuscated rows,
 * which repeat others.
 */
const EXCLUDED_KINDS = new Set(['bare_task', 'code_task', 'chat_inject', 'chat_trick', 'obfuscated'])

/**
 * All that may be learned from: permissively licensed rows of `folder`, the corpus of the project, and the
 * documentation of the packages that it depends on.
 */
export function readTaught(folder: string): Taught[] {
  let origin = 0
  const taught = (one: Partial<Taught> & Pick<Taught, 'text' | 'attack' | 'weight'>): Taught => ({
    origin: ++origin,
    lang: 'en',
    family: '',
    writer: '',
    source: '',
    ...one,
  })
  const rows = readRows(folder).flatMap((row) =>
    isPermissive(row) && !(row.attack && EXCLUDED_KINDS.has(row.kind))
      ? [
          taught({
            text: row.text,
            attack: row.attack,
            weight: row.attack ? WEIGHTS.attackRow : WEIGHTS.harmlessRow,
            source: row.group,
            lang: row.lang,
          }),
        ]
      : [],
  )
  const prose = readProse().map((text) => taught({ text, attack: false, weight: WEIGHTS.harmless, source: 'prose' }))
  const harmless = readHarmless().map((row) =>
    taught({ text: row.text, attack: false, weight: WEIGHTS.harmless, source: row.source, lang: row.lang }),
  )
  const written = readWritten().map((row) =>
    taught({ ...row, weight: row.attack ? WEIGHTS.attack : WEIGHTS.note, source: `writer ${row.writer}` }),
  )
  const firstTemplate = origin + 1
  const own = growCorpus(seeded(SEED), TEXTS_PER_TEMPLATE, TEXTS_PER_EFFECT).map(
    ({ text, attack, family, language, template }) =>
      taught({
        text,
        attack,
        weight: attack ? WEIGHTS.attackTemplate : WEIGHTS.harmlessTemplate,
        family,
        lang: language,
        source: 'templates',
        origin: firstTemplate + template,
      }),
  )
  const random = seeded(SEED + 2)
  const fragments = [...rows, ...prose, ...written, ...own]
    .filter(({ attack }) => !attack)
    .map((one) => ({ ...one, text: toFragment(one.text, random) }))
  return [...own, ...rows, ...prose, ...harmless, ...written, ...fragments]
}

/** Words, or three characters of a script without blanks. */
const PIECE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{1,3}|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+/gu

/** One to ten consecutive words from anywhere in a text. */
function toFragment(text: string, random: () => number): string {
  const pieces = [...text.matchAll(PIECE)]
  const count = 1 + Math.floor(random() * MAX_FRAGMENT_WORDS)
  const first = Math.floor(random() * Math.max(1, pieces.length - count))
  const last = pieces[Math.min(pieces.length, first + count) - 1]
  return last === undefined ? text : text.slice(pieces[first]?.index, last.index + last[0].length)
}

const phrases = buildPhrases()
const NO_WEIGHTS = { grams: new Uint8Array(0), scale: 0 }

export function toLesson(taught: Taught): Lesson {
  const tokens = tokenize(toPlain(taught.text).lower)
  const findings = phrases.find(tokens)
  const { matches, reporting } = findEvidence(tokens, findings)
  const features = new Int32Array(tokens.count * FEATURES_PER_TOKEN)
  sumWording(tokens, findings, NO_WEIGHTS, (token, place, bucket) => {
    features[token * FEATURES_PER_TOKEN + place] = bucket
  })
  const windows: Window[] = []
  visitWindows(tokens.count, (from, to) => windows.push([from, to]))
  const rules = matches.map(({ rule, token, described }) => ({ rule, token, part: described ? DESCRIBED_FACTOR : 1 }))
  const { attack, weight, origin } = taught
  return {
    ...taught,
    stems: listStems(tokens),
    example: { features, windows, rules, reporting, attack, weight, source: origin },
  }
}

function listStems({ count, values, kinds }: Tokens): Int32Array {
  const stems = new Set<number>()
  for (let token = 0; token < count; token++) {
    if (kinds[token] === WORD || kinds[token] === CHARACTER) stems.add(values[token * VALUES_PER_TOKEN + STEM] ?? 0)
  }
  return Int32Array.from(stems)
}
