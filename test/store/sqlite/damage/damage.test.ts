import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { toEntry } from '../../../../src/memory/search/index/index-entry.ts'
import { checkFile } from '../../../../src/store/sqlite/check/check-file.ts'
import { SUFFIXES } from '../../../../src/store/sqlite/data-folder.ts'
import { dump, makeVariedData } from './varied-data.ts'

const PAGE_BYTES = 4096
/** Copies with a byte that is not as it was: at least so many of which it changed data. */
const MIN_CHANGED = 40
const MAX_COPIES = 600

type Flip = { place: number; bit: number }

/** Places all over a file, from a seed: in every page once, and then anywhere. */
function* flipsOf(bytes: number): Generator<Flip> {
  let seed = 12_345
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const pages = bytes / PAGE_BYTES
  for (let at = 0; at < MAX_COPIES; at++) {
    // The last page first, which is the first to be lost.
    const page = at < pages ? pages - 1 - at : next(pages)
    yield { place: page * PAGE_BYTES + next(PAGE_BYTES), bit: 1 << next(8) }
  }
}

/**
 * Flips bits of copies until enough of them have other data. Returns of which flips the check said nothing although
 * data changed.
 */
async function findMissed(path: string, kind: 'control' | 'project'): Promise<{ changed: number; missed: Flip[] }> {
  const whole = readFileSync(path)
  const before = dump(path)
  const copy = `${path}.copy`
  const missed: Flip[] = []
  let changed = 0
  for (const flip of flipsOf(whole.length)) {
    if (changed >= MIN_CHANGED) break
    writeFileSync(copy, whole.with(flip.place, (whole[flip.place] ?? 0) ^ flip.bit))
    if (dump(copy) !== before) {
      changed += 1
      if ((await checkFile(copy, kind, { toEntry })).faults.length === 0) missed.push(flip)
    }
    for (const suffix of SUFFIXES) rmSync(copy + suffix, { force: true })
  }
  return { changed, missed }
}

test.each(['control', 'project'] as const)(
  'of 40 flipped bits that changed data of a %s file, all over its pages, every one is found',
  async (kind) => {
    const { control, projectFile } = await makeVariedData()
    const path = kind === 'control' ? control : projectFile
    expect((await checkFile(path, kind, { toEntry })).faults).toEqual([])
    const { changed, missed } = await findMissed(path, kind)
    expect(changed).toBeGreaterThanOrEqual(MIN_CHANGED)
    expect(missed).toEqual([])
  },
)

/** Columns that no complete index has: they are computed anew from others. */
const CHECKED_OTHERWISE = [
  'usage.records',
  'usage.content_bytes',
  // Says only that caches are to be read anew.
  'usage.removals',
  'audience_stats.records',
  'audience_stats.length',
  'languages.records',
  'indexing.rules',
  'indexing.target',
  'indexing.reached',
]

test('a record of which any column was changed is found, by the checksum of its row', async () => {
  const { projectFile } = await makeVariedData()
  using database = new Database(projectFile)
  const columns = database
    .query<{ name: string }, []>("select name from pragma_table_info('records') where name <> 'seq'")
    .all()
  const seq = database.query<{ seq: number }, []>('select max(seq) as seq from records').get()?.seq ?? 0
  const isFound = async (name: string) => {
    const [[value] = []] = database.query(`select ${name} from records where seq = ?`).values(seq) as (
      | string
      | number
      | Uint8Array
      | null
    )[][]
    database.run(`update records set ${name} = coalesce(${name}, 0) || '1' where seq = ?`, [seq])
    const { faults } = await checkFile(projectFile, 'project', { toEntry })
    database.run(`update records set ${name} = ? where seq = ?`, [value ?? null, seq])
    return faults.length > 0
  }
  const missed: string[] = []
  for (const { name } of columns) if (!(await isFound(name))) missed.push(name)
  expect(missed).toEqual([])
  expect((await checkFile(projectFile, 'project', { toEntry })).faults).toEqual([])
})

test('every column of every other table is in an index that every row has, so that damage of a row is found, or is checked otherwise', async () => {
  const { control, projectFile } = await makeVariedData()
  const bare = [control, projectFile].flatMap((path) => {
    using database = new Database(path, { readonly: true })
    return database
      .query<{ name: string }, []>(
        `select t.name || '.' || c.name as name from sqlite_schema t, pragma_table_xinfo(t.name) c
          where t.type = 'table' and t.sql not like 'create virtual%' and t.name not like 'word_index_%' and t.name not like 'sqlite_%' and t.name <> 'records' and c.hidden = 0
          and c.cid not in (select x.cid from pragma_index_list(t.name) i, pragma_index_xinfo(i.name) x where i.partial = 0 and x.key = 1)
          and not (c.pk > 0 and upper(c.type) = 'INTEGER')`,
      )
      .all()
      .map(({ name }) => name)
  })
  expect(bare.filter((name) => !CHECKED_OTHERWISE.includes(name))).toEqual([])
})
