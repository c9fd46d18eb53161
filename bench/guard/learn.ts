import { deflateSync } from 'bun'
import { canonicalize } from '../../src/guard/canonical.ts'
import { DESCRIBED_FACTOR } from '../../src/guard/judge.ts'
import { type Model, readModel, type StoredModel } from '../../src/guard/model.ts'
import { findEvidence, type Match } from '../../src/guard/rules/evidence.ts'
import { RULES } from '../../src/guard/rules/rules.ts'
import { replaceHomoglyphs } from '../../src/guard/views/homoglyphs.ts'
import { strip } from '../../src/guard/views/strip.ts'
import { type Example, type Fitted, fit, scoreMax, seeded, toExample } from './fit.ts'
import { growCorpus } from './grow.ts'
import { isPermissive, type Row } from './rows.ts'
import { type Case, fitStack } from './stack.ts'

/** Parts of the cross-validation, to which groups and templates are assigned. A model never judges a part that it learned from. */
export const PARTS = 8

/** A row, or a text grown from a template (`own`), as training needs it. */
export type Lesson = { attack: boolean; part: number; own: boolean; example: Example; passages: Evidence[]; reporting: boolean }

const SEED = 20_261
/** Texts grown from each template. */
const TEXTS_PER_TEMPLATE = 24
const OWN_TEXT_WEIGHT = 1
/** Kinds of attacks that are not learned from: those that the guard does not promise to catch, and obfuscated rows, which repeat others. */
const EXCLUDED_KINDS = new Set(['bare_task', 'code_task', 'chat_inject', 'chat_trick', 'obfuscated'])

export const toPlain = (text: string) => replaceHomoglyphs(canonicalize(strip(text).text)).text

/** What may be learned from: permissively licensed rows, dealt by `partOf`, and the project's own texts, dealt by template. */
export function toLessons(rows: Row[], partOf: (row: Row) => number): Lesson[] {
  const given = rows.filter((row) => isPermissive(row) && !(row.attack && EXCLUDED_KINDS.has(row.kind)))
  const own = growCorpus(seeded(SEED), TEXTS_PER_TEMPLATE)
  return [
    ...given.map((row) => toLesson(row.text, row.attack, partOf(row), false)),
    ...own.map((text) => toLesson(text.text, text.attack, text.template % PARTS, true)),
  ]
}

type Evidence = [rule: number, factor: number][]

const total = (evidence: Evidence) => evidence.reduce((sum, [, part]) => sum + part, 0)

const toEvidence = (matches: Match[]): Evidence => matches.map(({ rule, described }) => [rule, described ? DESCRIBED_FACTOR : 1])

function toLesson(text: string, attack: boolean, part: number, own: boolean): Lesson {
  const plain = toPlain(text)
  const { passages, reporting } = findEvidence(plain)
  // It is not known which passage of an attack is the attack: the one with most rules is the best guess. Of a benign text those with most rules teach most.
  const fullest = passages.map(toEvidence).sort((a, b) => total(b) - total(a))
  return {
    attack,
    part,
    own,
    example: toExample(plain, attack, own ? OWN_TEXT_WEIGHT : 1),
    passages: fullest.slice(0, attack ? 1 : 3),
    reporting,
  }
}

/** The classifier score of each lesson, by a model that learned neither from its group nor from its template. */
export function scoreApart(lessons: Lesson[]): number[] {
  const scores: number[] = new Array(lessons.length).fill(0)
  for (let part = 0; part < PARTS; part++) {
    const fitted = fitLessons(lessons.filter((lesson) => lesson.part !== part))
    lessons.forEach((lesson, at) => {
      if (lesson.part === part) scores[at] = scoreMax(fitted, lesson.example)
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
  return { features, attack: lesson.attack, weight: (lesson.own ? 0.3 : lesson.attack ? 3 : 1) / lesson.passages.length }
}

/** Quantizes the weights to integers from -127 to 127 and their scale. */
function pack({ weights, bias }: Fitted): { grams: string; scale: number; bias: number } {
  const sizes = Array.from(weights, Math.abs)
    .filter((size) => size > 0)
    .sort((a, b) => a - b)
  const scale = (sizes[Math.floor(sizes.length * 0.9995)] ?? 1) / 127
  const grams = Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / scale))))
  return { grams: Buffer.from(deflateSync(new Uint8Array(grams.buffer), { level: 9 })).toString('base64'), scale, bias: round(bias) }
}

export const toModel = (stored: StoredModel): Model => readModel(stored)
