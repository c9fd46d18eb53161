import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { finish } from '../../src/cooperative.ts'
import { toEntry } from '../../src/memory/search/index-entry.ts'
import { checkStore } from '../../src/store/open-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { openStartedCli } from '../run-cli.ts'
import { startExecutable } from '../smoke/running.ts'
import { compare, createLedger, type Ledger, work } from '../store/ledger.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const BACKUPS = 50
const ASSISTANTS = 6

/** What was acknowledged until now. What is forgotten while a backup is made may be in it or not. */
const snapshot = ({ saved, forgotten }: Ledger): Ledger => ({
  saved: new Map(saved),
  forgotten: new Set(forgotten),
  maybeForgotten: new Set(),
})

test('of 50 backups under load each is whole, and has every act that was acknowledged before it began', async () => {
  const { folder, project, secret, json, run } = await openStartedCli()
  const ledger = createLedger()
  const started: Subprocess[] = []
  const { url, stop } = await startExecutable([process.execPath, MAIN], folder, folder, started)
  const working = Array.from({ length: ASSISTANTS }, (_, at) => work(ledger, url, secret, `assistant ${at}`, () => {}))
  const target = join(folder, 'restored')
  for (let at = 0; at < BACKUPS; at++) {
    const before = snapshot(ledger)
    const file = join(folder, `${at}.tar.zst`)
    await json(['backup', file])
    const maybeForgotten = new Set(ledger.maybeForgotten)
    expect(await run(['restore', file, '--data', target])).toMatchObject({ status: 0, err: '' })
    const store = await openSqliteStore(target, Date.now)
    const kept = await store.project(project.id).listRecords({ visible: undefined })
    await store.close()
    expect(compare({ ...before, maybeForgotten }, kept)).toEqual({ lost: [], back: [] })
    for await (const part of checkStore({ dataDir: target }, { toEntry }, async (steps) => finish(steps))) expect(part.faults).toEqual([])
    await rm(target, { recursive: true })
    await rm(file)
  }
  expect(await stop()).toBe(0)
  await Promise.all(working)
  expect(ledger.saved.size).toBeGreaterThan(BACKUPS)
  expect(ledger.forgotten.size).toBeGreaterThan(BACKUPS)
}, 120_000)
