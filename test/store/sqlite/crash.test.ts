import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { openStartedCli } from '../../run-cli.ts'
import { startExecutable } from '../../smoke/running.ts'
import { compare, createLedger, work } from '../ledger.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const ROUNDS = 10
const ASSISTANTS = 8
/** Answers after which a round is cut off, in the middle of others. */
const ENOUGH = 80

/** What the engine finds wrong with a file, and rows and index entries that do not answer each other. */
function findFaults(path: string): unknown[] {
  const database = new Database(path, { readonly: true })
  const rows = 'select seq from records where forgotten_at is null'
  const entries = 'select rowid as seq from word_index'
  const faults = [
    ...database.query("select integrity_check as fault from pragma_integrity_check where fault <> 'ok'").all(),
    ...database.query(`select 'no entry' as fault, seq from (${rows} except ${entries})`).all(),
    ...database.query(`select 'no row' as fault, seq from (${entries} except ${rows})`).all(),
    ...database.query(`select 'counted' as fault from usage where records <> (select count(*) from (${rows}))`).all(),
  ]
  database.close()
  return faults
}

test('killed in the middle of saves and forgets, it loses nothing that was acknowledged and brings nothing back', async () => {
  const { folder, project, secret } = await openStartedCli()
  const ledger = createLedger()
  for (let round = 1; round <= ROUNDS; round++) {
    const started: Subprocess[] = []
    const { url } = await startExecutable([process.execPath, MAIN], folder, folder, started)
    let answers = 0
    const told = () => {
      answers += 1
      if (answers === ENOUGH) started[0]?.kill('SIGKILL')
    }
    await Promise.all(Array.from({ length: ASSISTANTS }, (_, i) => work(ledger, url, secret, `assistant ${i} in round ${round}`, told)))
    await started[0]?.exited
    expect(answers).toBeGreaterThanOrEqual(ENOUGH)

    const store = await openSqliteStore(folder, Date.now)
    const kept = await store.project(project.id).listRecords({ visible: undefined })
    await store.close()
    expect(compare(ledger, kept)).toEqual({ lost: [], back: [] })
    expect(findFaults(join(folder, 'projects', `${project.id}.db`))).toEqual([])
  }
  expect(ledger.forgotten.size).toBeGreaterThan(ROUNDS)
}, 60_000)
