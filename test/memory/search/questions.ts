import fc from 'fast-check'

/** Arguments of `search`, over the records that the steps of `../steps.ts` save. */
export type Question = {
  query: string
  workspace?: string
  scope?: 'shared' | 'department' | 'draft'
  exclude_stale?: boolean
  source_id?: string
  fact_key?: string
  author?: string
  status?: 'unverified' | 'verified' | 'superseded'
  since?: string
  until?: string
  limit?: number
  offset?: number
}

/** Words that contents or phrases have or none has, names of records, a typing error, and the query that lists. */
export const QUERIES = [
  'lantern',
  '*',
  'copper',
  'brass tin',
  'lantern zeppelin',
  'zeppelin',
  'a.md',
  'lamp',
  'coper',
  'latern of bras',
  'torch',
  'tochr',
]

const day = fc.constantFrom('2026-01-14', '2026-01-15', '2026-01-16')

export const question: fc.Arbitrary<Question> = fc.record(
  {
    query: fc.constantFrom(...QUERIES),
    workspace: fc.constantFrom('default', 'plans', 'attic', '*', '*'),
    scope: fc.constantFrom('shared', 'department', 'draft'),
    exclude_stale: fc.boolean(),
    source_id: fc.constantFrom('a.md', 'b.md'),
    fact_key: fc.constantFrom('lamp', 'post', 'lantern-of-tin'),
    author: fc.constantFrom('member 0', 'Member 1', 'service key', 'former member', 'nobody'),
    status: fc.constantFrom('unverified', 'verified', 'superseded'),
    since: day,
    until: day,
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.nat(4),
  },
  { requiredKeys: ['query'] },
)

/** A question with few conditions, which more records pass. */
export const narrowQuestion: fc.Arbitrary<Question> = fc
  .tuple(
    question,
    fc.constantFrom<(keyof Question)[]>(
      [],
      ['source_id'],
      ['fact_key'],
      ['author'],
      ['status'],
      ['scope', 'exclude_stale'],
      ['since', 'until'],
    ),
  )
  .map(([all, kept]) => {
    const names = new Set<string>(['query', 'workspace', 'limit', 'offset', ...kept])
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name))) as Question
  })
