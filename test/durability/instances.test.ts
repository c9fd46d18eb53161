import { describe, expect, onTestFinished, test } from 'bun:test'
import { SQL } from 'bun'
import { firstRun } from '../../src/account/organizations/first-run.ts'
import { findPostgres, startPostgres } from '../postgres.ts'
import { NEXT_STEP } from '../store/postgres/steps/made-up.ts'
import { openOperator, startFleet } from './instances/fleet.ts'
import { NOTHING_WRONG_HERE, tryFleet } from './instances/rounds.ts'
import { findMissed, sabotage } from './instances/sabotage.ts'
import { TROUBLES } from './instances/troubles.ts'
import { fromSource } from './rounds.ts'

/** Of each round. */
const ANSWERS = 24

const programs = findPostgres()

describe.skipIf(programs === undefined)('several instances on one database', () => {
  test('that lose each other, the network and the database, and are upgraded in turn, lose nothing acknowledged, double nothing, count windows exactly and take no revoked key', async () => {
    const fleet = await startFleet(fromSource(), 3)
    onTestFinished(fleet.stop)
    const tried = await tryFleet(fleet, TROUBLES, { answers: ANSWERS, windowPauseMs: 50 })
    expect(tried).toMatchObject({ wrong: NOTHING_WRONG_HERE, windowFaults: [], accepted: 0 })
    expect(tried.answers).toBeGreaterThanOrEqual(ANSWERS * TROUBLES.length)
    expect(tried.limitedCalls).toBeGreaterThan(fleet.limited.callsPerProject)
    await using client = new SQL({ url: fleet.operator.config.databaseUrl ?? '', max: 1 })
    expect(await client`select name from migrations where name = ${NEXT_STEP.name}`).toHaveLength(1)
  })

  test('whose database loses, doubles, brings back, miscounts and takes revoked keys are caught by the same', async () => {
    const fleet = await startFleet(fromSource(), 2)
    onTestFinished(fleet.stop)
    await sabotage(fleet)
    const tried = await tryFleet(fleet, ['network cut', 'instance killed'], { answers: 2 * ANSWERS, windowPauseMs: 10 })
    expect(findMissed(tried)).toEqual([])
  })

  test('that are started at once on an empty database make its tables, its account and its first key once', async () => {
    if (programs === undefined) return
    const server = await startPostgres(programs)
    onTestFinished(server.stop)
    const { url } = await server.createDatabase()
    const services = await Promise.all(Array.from({ length: 10 }, () => openOperator(url)))
    const made = await Promise.all(services.map(firstRun))
    expect(made.filter((first) => first !== undefined)).toHaveLength(1)
    expect(await services[0]?.store.control.list('accounts', {})).toHaveLength(1)
    await Promise.all(services.map(({ close }) => close()))
  })
})
