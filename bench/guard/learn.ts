import { zstdCompressSync } from 'bun'
import { canonicalize } from '../../src/guard/canonical.ts'
import { DESCRIBED_FACTOR } from '../../src/guard/judge.ts'
import { type Model, readModel, type StoredModel } from '../../src/guard/model.ts'
import { findEvidence, type Match } from '../../src/guard/rules/evidence.ts'
import { RULES } from '../../src/guard/rules/rules.ts'
import { replaceHomoglyphs } from '../../src/guard/views/homoglyphs.ts'
import { strip } from '../../src/guard/views/strip.ts'
import { type Example, type Fitted, fit, scoreMax, seeded, toExample } from './fit.ts'
import { type Grown, growCorpus } from './grow.ts'
import { readProse } from './prose.ts'
import { isPermissive, type Row } from './rows.ts'
import { type Case, fitStack } from './stack.ts'

/** Parts of the cross-validation, to which groups and templates are assigned. A model never judges a part that it learned from. */
export const PARTS = 8
/** Parts of the scores that the second stage learns from: fewer, for each costs one more training. */
const STACK_PARTS = 4

/** A row, or a text grown from a template (`own`), as training needs it. `effect`: that of its template, if it has one. */
export type Lesson = {
  attack: boolean
  part: number
  own: boolean
  effect: string | undefined
  example: Example
  passages: Evidence[]
  reporting: boolean
}

const SEED = 20_261
/** Texts grown from each template. */
const TEXTS_PER_TEMPLATE = 24
const TEXTS_PER_EFFECT = 16
const EFFECT_WEIGHT = 3
/** Harmless rows of others are few beside the project's own texts, and are what most texts of users resemble. */
const BENIGN_ROW_WEIGHT = 8
const PROSE_WEIGHT = 6
/** The part of harmless texts of which a few words are learned as well: short notes have little by which to tell that they are harmless. */
const FRAGMENT_PART = 1
const MAX_FRAGMENT_WORDS = 10
/** Kinds of attacks that are not learned from: those that the guard does not promise to catch, and obfuscated rows, which repeat others. */
const EXCLUDED_KINDS = new Set(['bare_task', 'code_task', 'chat_inject', 'chat_trick', 'obfuscated'])

export const toPlain = (text: string) => replaceHomoglyphs(canonicalize(strip(text).text)).text

/** What may be learned from: permissively licensed rows, dealt by `partOf`, and the project's own texts, dealt by template or effect; of harmless ones also fragments. */
export function toLessons(rows: Row[], partOf: (row: Row) => number): Lesson[] {
  const own = growCorpus(seeded(SEED), TEXTS_PER_TEMPLATE, TEXTS_PER_EFFECT).map(toTaught)
  const given = rows.flatMap((row, at) => (isTaught(row) ? [toTaughtRow(row, partOf(row), at)] : []))
  const prose = readProse().map((text, at) => toTaughtProse(text, rows.length + at))
  const random = seeded(SEED + 2)
  const fragments = [...given, ...prose, ...own].flatMap((taught) =>
    !taught.attack && random() < FRAGMENT_PART ? [{ ...taught, text: toFragment(taught.text, random) }] : [],
  )
  return [...fragments, ...given, ...prose, ...own].map(toLesson)
}

/** A text to be learned. `source`: the number of its row or template, no two of which are the same. */
type Taught = { text: string; attack: boolean; part: number; own: boolean; weight: number; source: number; effect: string | undefined }

function toTaught({ text, attack, template, family, isEffect }: Grown): Taught {
  const part = toPart(isEffect ? Bun.hash.crc32(family) : template)
  const weight = isEffect && attack ? EFFECT_WEIGHT : 1
  return { text, attack, part, own: true, weight, source: -1 - template, effect: isEffect ? family : undefined }
}

const isTaught = (row: Row) => isPermissive(row) && !(row.attack && EXCLUDED_KINDS.has(row.kind))

function toTaughtRow({ text, attack }: Row, part: number, source: number): Taught {
  return { text, attack, part, own: false, weight: attack ? 1 : BENIGN_ROW_WEIGHT, source, effect: undefined }
}

function toTaughtProse(text: string, source: number): Taught {
  return { text, attack: false, part: toPart(source), own: false, weight: PROSE_WEIGHT, source, effect: undefined }
}

/** Words, or three characters of a script without blanks. */
const PIECE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{1,3}|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+/gu

/** One to ten consecutive words from anywhere in a text. */
function toFragment(text: string, random: () => number): string {
  const pieces = [...text.matchAll(PIECE)]
  const count = 1 + Math.floor(random() * MAX_FRAGMENT_WORDS)
  const first = Math.floor(random() * Math.max(1, pieces.length - count))
  const last = pieces[Math.min(pieces.length, first + count) - 1]
  return last === undefined ? text : text.slice(pieces[first]?.index, last.index + last[0].length)
}

type Evidence = [rule: number, factor: number][]

const total = (evidence: Evidence) => evidence.reduce((sum, [, part]) => sum + part, 0)

const toEvidence = (matches: Match[]): Evidence => matches.map(({ rule, described }) => [rule, described ? DESCRIBED_FACTOR : 1])

/** Effects are dealt as wholes, so that no model that is asked about an effect has learned it. */
const toPart = (number: number) => number % PARTS

function toLesson({ text, attack, part, own, weight, source, effect }: Taught): Lesson {
  const plain = toPlain(text)
  const { passages, reporting } = findEvidence(plain)
  // It is not known which passage of an attack is the attack: the one with most rules is the best guess. Of a benign text those with most rules teach most.
  const fullest = passages.map(toEvidence).sort((a, b) => total(b) - total(a))
  return {
    attack,
    part,
    own,
    effect,
    example: toExample(plain, attack, weight, source),
    passages: fullest.slice(0, attack ? 1 : 3),
    reporting,
  }
}

/** The classifier score of each lesson, by a model that learned neither from its group nor from its template. */
export function scoreApart(lessons: Lesson[]): number[] {
  const scores: number[] = new Array(lessons.length).fill(0)
  for (let part = 0; part < STACK_PARTS; part++) {
    const fitted = fitLessons(lessons.filter((lesson) => lesson.part % STACK_PARTS !== part))
    lessons.forEach((lesson, at) => {
      if (lesson.part % STACK_PARTS === part) scores[at] = scoreMax(fitted, lesson.example)
    })
  }
  return scores
}

export const fitLessons = (lessons: Lesson[]): Fitted =>
  fit(
    lessons.map((lesson) => lesson.example),
    seeded(SEED + 1),
  )

/** The model: the classifier of all lessons, and a second stage (stacking) over the scores of `scoreApart`. `threshold` is the sum above which a text is rejected. */
export function learn(lessons: Lesson[], apart: number[], fitted: Fitted, threshold: number): StoredModel {
  const cases = lessons.flatMap((lesson, at) => lesson.passages.map((evidence) => toCase(lesson, evidence, apart[at] ?? 0)))
  const stack = fitStack(cases, RULES.length + 2)
  const [first, direct, ...rest] = stack.weights
  const named = Object.fromEntries(RULES.map((rule, at) => [rule.name, round(rest[at] ?? 0)]))
  return {
    ...pack(fitted),
    classifier: round((first ?? 0) / 3),
    base: round(stack.bias + (direct ?? 0) - threshold),
    reporting: round(direct ?? 0),
    rules: named,
  }
}

const round = (value: number) => Math.round(value * 1000) / 1000

function toCase(lesson: Lesson, evidence: Evidence, score: number): Case {
  const found = evidence.map(([rule, part]): [number, number] => [rule + 2, part])
  const features: Case['features'] = [[0, Math.max(-6, Math.min(6, score)) / 3], [1, lesson.reporting ? 0 : 1], ...found]
  return {
    features,
    attack: lesson.attack,
    weight: (lesson.own ? 0.3 * lesson.example.weight : lesson.attack ? 3 : 1) / lesson.passages.length,
  }
}

/** The largest weight as stored. Few steps suffice where each score sums up hundreds of weights, and they compress well. */
const MAX_STORED_WEIGHT = 6
/** The highest. */
const ZSTD_LEVEL = 22
/** Weights of less than so many steps are left out. */
const MIN_STORED_STEPS = 0.7

/** Quantizes the weights to integers from -6 to 6 and their scale. */
export function pack({ weights, bias }: Fitted): { grams: string; scale: number; bias: number } {
  const sizes = Array.from(weights, Math.abs)
    .filter((size) => size > 0)
    .sort((a, b) => a - b)
  const scale = (sizes[Math.floor(sizes.length * 0.9995)] ?? 1) / MAX_STORED_WEIGHT
  const toSteps = (steps: number) =>
    Math.abs(steps) < MIN_STORED_STEPS ? 0 : Math.max(-MAX_STORED_WEIGHT, Math.min(MAX_STORED_WEIGHT, Math.round(steps)))
  const grams = Int8Array.from(weights, (weight) => toSteps(weight / scale))
  return { grams: zstdCompressSync(new Uint8Array(grams.buffer), { level: ZSTD_LEVEL }).toString('base64'), scale, bias: round(bias) }
}

export const toModel = (stored: StoredModel): Model => readModel(stored)
