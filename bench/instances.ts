// Whether several instances on one database keep what they acknowledged, while instances are killed, connections are ended, the network is cut and stalled and the database
// is killed, all at random, and a key is revoked in every round: what was lost, doubled, brought back, admitted beyond a window or refused with room in it, and where a
// revoked key was taken. Status 1 where there is any. First, instances are started at once on an empty database. Needs PostgreSQL's programs on this machine.
// Usage: bun bench/instances.ts [--rounds 100] [--instances 3] [--at-once 10] [--service PATH] [--json]   (PATH: an executable; without it the source is run)
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startFleet } from '../test/durability/instances/fleet.ts'
import { NOTHING_WRONG_HERE, tryFleet } from '../test/durability/instances/rounds.ts'
import { startAtOnce } from '../test/durability/instances/start-at-once.ts'
import { TROUBLES } from '../test/durability/instances/troubles.ts'
import { fromSource } from '../test/durability/rounds.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    instances: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '10' },
    service: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

/** Answers in each round, and how long callers in the windows wait between calls. */
const ANSWERS = 60
const WINDOW_PAUSE_MS = 100

const command = values.service === undefined ? fromSource() : [resolve(values.service)]
const say = (line: string) => process.stderr.write(`${line}\n`)

const atOnce = await startAtOnce(command, Number(values['at-once']))
say(`${atOnce.started} started at once: ${atOnce.accounts} account, ${atOnce.keys} key`)

const troubles = Array.from({ length: Number(values.rounds) }, (_, at) => TROUBLES[at % TROUBLES.length] ?? 'network cut')
const fleet = await startFleet(command, Number(values.instances))
const tried = await tryFleet(fleet, troubles, {
  answers: ANSWERS,
  windowPauseMs: WINDOW_PAUSE_MS,
  onRound: (round, trouble, answers) => say(`round ${round}, ${trouble}: ${answers} answers so far`),
}).finally(fleet.stop)

const isRight =
  Bun.deepEquals(tried.wrong, NOTHING_WRONG_HERE) && tried.windowFaults.length === 0 && tried.accepted === 0 && atOnce.accounts === 1
if (values.json) console.log(JSON.stringify({ atOnce, rounds: troubles.length, ...tried }, null, 2))
else {
  console.log(
    `${troubles.length} rounds, ${fleet.instances.length} instances: ${tried.answers} acts acknowledged, wrong ${JSON.stringify(tried.wrong)}`,
  )
  console.log(`${tried.limitedCalls} calls in windows, faults ${JSON.stringify(tried.windowFaults)}; revoked keys taken ${tried.accepted}`)
}
process.exitCode = isRight ? 0 : 1
