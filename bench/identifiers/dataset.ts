import { createRandom } from '../../src/commands/bench/texts.ts'
import { KINDS, type Kind, pick } from './kinds.ts'

// Made-up notes of a software team, each about one identifier, and questions that name it whole, in part, in another
// spelling, mistyped, or name one that no note has. The same numbers give the same notes.

/** `answers`: the notes that answer it; none where the identifier is nowhere. */
export type Question = { kind: string; variant: Variant; text: string; answers: number[] }
export type Variant = 'whole' | 'part' | 'respelled' | 'mistyped' | 'mixed' | 'near nowhere' | 'nowhere'
type Family = Kind & { kind: string }
export type Dataset = { notes: string[]; questions: Question[] }

/** Families of identifiers of each kind. */
const FAMILIES = 5

/** `{}` is the identifier. Notes and questions have no words in common but stop words, and topics in mixed ones. */
const NOTES = [
  'The {topic} job stopped after {}; restart it by hand.',
  'For {topic} we agreed on {} in the weekly meeting, Marta keeps the list.',
  'Rollback of {topic}: see {}. Nobody else may touch this before Friday.',
  'Für {topic} gilt {}; die Kollegen in Wien prüfen das monatlich.',
  'Настройка {topic}: используем {}, остальные значения устарели.',
  'En {topic} usamos {} y el equipo de Lima lo revisa cada lunes.',
  '{topic}の設定は{}を使うこと。再起動が必要です。',
  '{topic}出现故障时请先检查{}再联系值班人员。',
  'ระบบ{topic}ใช้{}และต้องเริ่มใหม่ทุกคืน',
]
const QUESTIONS = [
  'What do we know about {}?',
  '{}',
  'why does "{}" break again',
  'Was wissen wir über {}?',
  'Что известно про ({})?',
  '¿qué sabemos de {}?',
  '{}は何ですか',
  '{}是什么？',
]
const TOPICS = [
  'billing',
  'shipping',
  'payroll',
  'search',
  'login',
  'reports',
  'backup',
  'mail',
  'import',
  'stock',
  'audit',
  'billing export',
  'user sync',
  'price list',
  'nightly build',
]
const FILLERS = [
  'The {topic} dashboard was moved to the second floor screen.',
  'Anna prefers short pull requests for {topic}.',
  '{topic}: reviews take two days on average, version {n} of the guide is on the wiki.',
  'Am {n}. des Monats trifft sich die Gruppe {topic}.',
  '{topic} needs {n} GB on host node{n}.',
]
const FILLER_NOTES = 300

export function createDataset(seed: number): Dataset {
  const random = createRandom(seed)
  const families = Object.entries(KINDS).flatMap(([kind, make]) =>
    Array.from({ length: FAMILIES }, () => ({ kind, ...make(random) })),
  )
  const named = families.flatMap(({ ids }) => ids)
  const notes = Array.from({ length: FILLER_NOTES }, () => fill(pick(random, FILLERS), random))
  for (const id of named) notes.push(fill(pick(random, NOTES), random).replace('{}', () => id))
  // Two families may have drawn the same identifier.
  const answersOf = (ids: string[]) => named.flatMap((id, at) => (ids.includes(id) ? [FILLER_NOTES + at] : []))
  const questions = families.flatMap((family) => ask(family, answersOf, random))
  return { notes, questions }
}

function ask(
  { kind, ids, part, respell, near, far }: Family,
  answersOf: (ids: string[]) => number[],
  random: () => number,
): Question[] {
  const toQuestion = (variant: Variant, id: string, answers: number[], frame = pick(random, QUESTIONS)): Question => ({
    kind,
    variant,
    text: frame.replace('{}', () => id),
    answers,
  })
  const found = ids.flatMap((id) => {
    const answers = answersOf([id])
    return [
      toQuestion('whole', id, answers),
      toQuestion('mixed', id, answers, `What has the team agreed on {} for ${pick(random, TOPICS)}?`),
      toQuestion('mistyped', mistype(id, random), answers),
      ...(part === undefined
        ? []
        : [toQuestion('part', part(id), answersOf(ids.filter((other) => part(other) === part(id))))]),
      ...(respell?.(id) ?? []).map((other) => toQuestion('respelled', other, answers)),
    ]
  })
  return [...found, toQuestion('near nowhere', near, []), toQuestion('nowhere', far, [])]
}

function fill(frame: string, random: () => number): string {
  return frame.replaceAll('{topic}', pick(random, TOPICS)).replaceAll('{n}', String(Math.floor(random() * 31)))
}

/** With two neighbouring characters swapped, or one left out or doubled, never the first. */
function mistype(id: string, random: () => number): string {
  for (;;) {
    const at = 1 + Math.floor(random() * (id.length - 1))
    const [here = '', next = ''] = [id[at], id[at + 1]]
    if (!/[\p{L}\p{N}]/u.test(here)) continue
    const way = random()
    if (way < 0.4 && /[\p{L}\p{N}]/u.test(next) && next !== here)
      return id.slice(0, at) + next + here + id.slice(at + 2)
    if (way < 0.7) return id.slice(0, at) + id.slice(at + 1)
    return id.slice(0, at) + here + id.slice(at)
  }
}
