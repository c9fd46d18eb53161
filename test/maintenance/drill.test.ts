import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { compare, createLedger, type Ledger, NOTHING_WRONG, work } from '../durability/ledger.ts'
import { fromSource, readKept } from '../durability/rounds.ts'
import { openStartedCli } from '../run-cli.ts'
import { startExecutable } from '../smoke/running.ts'

const BACKUPS = 50
const ASSISTANTS = 6

/** What was acknowledged until now; not the values of facts, which change while a backup is made. */
const snapshot = (ledger: Ledger): Ledger => ({
  ...ledger,
  saved: new Map(ledger.saved),
  forgotten: new Set(ledger.forgotten),
  facts: new Map(),
})

test('of 50 backups under load each is whole, and has every act that was acknowledged before it began', async () => {
  const { folder, project, secret, json, run } = await openStartedCli()
  const ledger = createLedger()
  const started: Subprocess[] = []
  const { url, stop } = await startExecutable(fromSource(), folder, folder, started)
  const names = Array.from({ length: ASSISTANTS }, (_, at) => `assistant ${at}`)
  const working = names.map((name) => work(ledger, { url, key: secret, name }, () => {}))
  const target = join(folder, 'restored')
  for (let at = 0; at < BACKUPS; at++) {
    const before = snapshot(ledger)
    const file = join(folder, `${at}.tar.zst`)
    await json(['backup', file])
    const maybeForgotten = new Set(ledger.maybeForgotten)
    expect(await run(['restore', file, '--data', target])).toMatchObject({ status: 0, err: '' })
    const { kept, faults } = await readKept(target, project.id)
    expect({ ...compare({ ...before, maybeForgotten }, kept), faults }).toEqual({ ...NOTHING_WRONG, faults: [] })
    await rm(target, { recursive: true })
    await rm(file)
  }
  expect(await stop()).toBe(0)
  await Promise.all(working)
  expect(ledger.forgotten.size).toBeGreaterThan(BACKUPS)
})
