import { expect, test } from 'bun:test'
import { openStartedCli } from '../run-cli.ts'
import { createLedger, NOTHING_WRONG } from './ledger.ts'
import { findWrong, fromSource, runRound } from './rounds.ts'

const ROUNDS = 6
/** Answers after which a round is cut off. */
const ENOUGH = 80

const kill = (pid: number) => void process.kill(pid, 'SIGKILL')

async function openTried(sabotage?: string) {
  const { folder, project, secret } = await openStartedCli()
  return { command: fromSource(sabotage), folder, projectId: project.id, secret }
}

test('killed in the middle of acts, it loses nothing that was acknowledged, brings nothing back, and what is asked for again is there once', async () => {
  const tried = await openTried()
  const ledger = createLedger()
  for (let round = 1; round <= ROUNDS; round++) {
    expect(await runRound(ledger, tried, ENOUGH, kill)).toBeGreaterThanOrEqual(ENOUGH)
    expect(await findWrong(ledger, tried)).toEqual({ ...NOTHING_WRONG, faults: [] })
  }
  expect(ledger.forgotten.size).toBeGreaterThan(ROUNDS)
  expect(ledger.facts.size).toBeGreaterThan(1)
})

test('a service that acknowledges before it commits is caught by the same', async () => {
  const tried = await openTried('late-commits.ts')
  const ledger = createLedger()
  await runRound(ledger, tried, ENOUGH, kill)
  expect((await findWrong(ledger, tried)).lost).not.toEqual([])
})
