import { expect, onTestFinished, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { openStartedCli } from '../run-cli.ts'
import { canMakeDisk, makeDisk } from './disk.ts'
import { createLedger, NOTHING_WRONG } from './ledger.ts'
import { findWrong, fromSource, runRound } from './rounds.ts'

const CUTS = 2
/** Answers after which the power is cut. */
const ENOUGH = 80

/** A data folder on a disk of its own. */
async function openTried(sabotage?: string) {
  const { folder, project, secret } = await openStartedCli()
  const disk = makeDisk('ext4')
  onTestFinished(disk.remove)
  cpSync(folder, join(disk.folder, 'data'), { recursive: true })
  Bun.spawnSync(['sync'])
  return {
    tried: { command: fromSource(sabotage), folder: join(disk.folder, 'data'), projectId: project.id, secret },
    disk,
  }
}

const isPossible = canMakeDisk('ext4')

test.skipIf(!isPossible)('when the power is cut, what was acknowledged is on the disk', async () => {
  const { tried, disk } = await openTried()
  const ledger = createLedger()
  for (let round = 1; round <= CUTS; round++) {
    expect(await runRound(ledger, tried, ENOUGH, disk.cutPower)).toBeGreaterThanOrEqual(ENOUGH)
    disk.mountAgain()
    expect(await findWrong(ledger, tried)).toEqual({ ...NOTHING_WRONG, faults: [] })
  }
})

test.skipIf(!isPossible)('a service that acknowledges before it is on the disk is caught by the same', async () => {
  const { tried, disk } = await openTried('no-syncs.ts')
  const ledger = createLedger()
  await runRound(ledger, tried, ENOUGH, disk.cutPower)
  disk.mountAgain()
  expect((await findWrong(ledger, tried)).lost).not.toEqual([])
})
