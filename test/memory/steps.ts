import fc from 'fast-check'
import { MEMBERS_EACH, type Plan } from '../builders/planned-organizations.ts'
import type { Question } from './search/questions.ts'

/** A call of a tool, or a move to another department; `who` is the number of the key that acts. */
export type Step =
  | { kind: 'remember'; who: number; args: Remember }
  | { kind: 'search'; who: number; args: Question }
  | { kind: 'validate_memory'; who: number; args: { source_id: string; source_hash?: string; workspace?: string } }
  | { kind: 'forget source'; who: number; args: { source_id: string; stale?: boolean; workspace?: string } }
  | { kind: 'forget id'; who: number; nth: number; args: { workspace?: string } }
  | { kind: 'move'; who: number; department: number | undefined }
  | Decision
  | { kind: 'pass'; who: number; minutes: number }

/** What a person does with a record. */
export type Decision =
  | { kind: 'verify'; who: number; nth: number }
  | { kind: 'unverify'; who: number; nth: number }
  | { kind: 'restore'; who: number; nth: number }

export type Scope = 'shared' | 'department' | 'draft'
export type Remember = {
  content: string
  workspace?: string
  scope?: Scope
  fact_key?: string
  source_id?: string
  source_hash?: string
  asked_as?: string[]
}

/** A word of every content, so that one query matches every record. */
export const COMMON = 'lantern'
const KEYS = 7
/** So that every match is found. */
const MAX_LIMIT = 50

const WORKSPACES = ['default', 'plans', 'attic']
const SOURCES = ['a.md', 'b.md']
const SCOPES: Scope[] = ['shared', 'department', 'draft']

const optional = { requiredKeys: [] as never[] }
const workspace = fc.constantFrom(...WORKSPACES)
const scope = fc.constantFrom(...SCOPES)
const source = fc.constantFrom(...SOURCES)
const hash = fc.constantFrom('1', '2')
const who = fc.nat(KEYS - 1)

const content = fc.constantFrom('copper', 'brass', 'tin', 'tin.').map((word) => `${COMMON} of ${word}`)
/** One of them is the key that is derived of a content. */
const factKey = fc.constantFrom('lamp', ' LAMP', `${COMMON}-of-tin`)
/** Words that no content has. */
const phrases: fc.Arbitrary<string[]> = fc.constantFrom(['torch'], ['lamp beside it', 'torch of metal'])
const more = fc.record({ workspace, scope, fact_key: factKey, asked_as: phrases }, optional)
const origin = fc.oneof(
  fc.constant({}),
  fc.record({ source_id: source, source_hash: hash }, { requiredKeys: ['source_id'] }),
)
const remember = fc
  .tuple(content, more, origin)
  .map(([text, rest, from]): Remember => ({ content: text, ...rest, ...from }))
const search = fc.record(
  { query: fc.constant(COMMON), limit: fc.constant(MAX_LIMIT), workspace, scope, exclude_stale: fc.boolean() },
  { requiredKeys: ['query', 'limit'] },
)
const validate = fc.record({ source_id: source, source_hash: hash, workspace }, { requiredKeys: ['source_id'] })
const forgetSource = fc.record({ source_id: source, stale: fc.boolean(), workspace }, { requiredKeys: ['source_id'] })
const forgetId = fc.record({ workspace }, optional)

/** A step. Records are referred to by the order in which they were saved. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('remember' as const), who, args: remember }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('search' as const), who, args: search }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('validate_memory' as const), who, args: validate }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget source' as const), who, args: forgetSource }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('forget id' as const), who, nth: fc.nat(30), args: forgetId }),
  },
)

/** Saves into one workspace of records that can contradict each other, and what people and time do to them. */
export const correction: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('remember' as const),
      who,
      args: fc
        .tuple(
          content,
          fc.record({ scope: fc.constantFrom('shared' as const, 'draft' as const), fact_key: factKey }, optional),
          origin,
        )
        .map(([text, rest, from]): Remember => ({ content: text, ...rest, ...from })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'verify' as const,
        'verify' as const,
        'unverify' as const,
        'restore' as const,
        'restore' as const,
      ),
      who,
      nth: fc.nat(12),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('forget id' as const), who, nth: fc.nat(12), args: fc.constant({}) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('forget source' as const),
      who,
      args: fc.record({ source_id: source, stale: fc.boolean() }, { requiredKeys: ['source_id'] }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), who, minutes: fc.constantFrom(1, 11) }) },
)

export const department = fc.option(fc.nat(1), { nil: undefined })

export const moveStep: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('move' as const), who, department })

const key = fc.record({ project: fc.nat(2), holder: fc.nat(MEMBERS_EACH) })

/** Who is in which department, and who holds which key. */
export const plan: fc.Arbitrary<Plan> = fc.record({
  departments: fc.array(department, { minLength: 2 * MEMBERS_EACH, maxLength: 2 * MEMBERS_EACH }),
  keys: fc.array(key, { minLength: KEYS, maxLength: KEYS }),
})

/** Every query and validation that is possible, by every key. */
export function* everyQuestion(): Generator<Step> {
  for (let who = 0; who < KEYS; who++) {
    for (const workspace of WORKSPACES) {
      const asked = { query: COMMON, limit: MAX_LIMIT, workspace }
      yield { kind: 'search', who, args: asked }
      yield { kind: 'search', who, args: { ...asked, exclude_stale: true } }
      for (const scope of SCOPES) yield { kind: 'search', who, args: { ...asked, scope } }
      for (const source_id of SOURCES) yield { kind: 'validate_memory', who, args: { source_id, workspace } }
    }
  }
}
