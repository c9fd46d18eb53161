// Whether several instances on one database keep what they acknowledged, while instances are killed, connections are
// ended, the network is cut and stalled, the database is killed, and instances are upgraded in turn with a step of the
// schema, and a key is revoked in every round: what was lost, doubled, brought back, admitted beyond a window or refused
// with room in it, and where a revoked key was taken. First the same is tried on a database that does all of that wrong,
// which must be caught. Status 1 where anything is wrong, or the control was not caught. Then instances are started at
// once on an empty database. Needs PostgreSQL's programs on this machine. Usage: bun bench/instances.ts [--rounds 100]
// [--instances 3] [--at-once 10] [--service PATH] [--json] (PATH: an executable; without it the source is run)
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startFleet } from '../test/durability/instances/fleet.ts'
import { NOTHING_WRONG_HERE, tryFleet } from '../test/durability/instances/rounds.ts'
import { findMissed, sabotage } from '../test/durability/instances/sabotage.ts'
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

/** Of the control: enough for each kind of fault. */
const CONTROL_ROUNDS = 4
const CONTROL_PAUSE_MS = 10

const control = await startFleet(command, 2)
await sabotage(control)
const missed = findMissed(
  await tryFleet(control, TROUBLES.slice(0, CONTROL_ROUNDS), {
    answers: ANSWERS,
    windowPauseMs: CONTROL_PAUSE_MS,
  }).finally(control.stop),
)
say(
  missed.length === 0
    ? 'a database that does wrong is caught'
    : `not caught of a database that does wrong: ${missed.join(', ')}`,
)

const atOnce = await startAtOnce(command, Number(values['at-once']))
say(`${atOnce.started} started at once: ${atOnce.accounts} account, ${atOnce.keys} key`)

const troubles = Array.from(
  { length: Number(values.rounds) },
  (_, at) => TROUBLES[at % TROUBLES.length] ?? 'network cut',
)
const fleet = await startFleet(command, Number(values.instances))
const tried = await tryFleet(fleet, troubles, {
  answers: ANSWERS,
  windowPauseMs: WINDOW_PAUSE_MS,
  onRound: (round, trouble, answers) => say(`round ${round}, ${trouble}: ${answers} answers so far`),
}).finally(fleet.stop)

const isRight =
  missed.length === 0 &&
  Bun.deepEquals(tried.wrong, NOTHING_WRONG_HERE) &&
  tried.windowFaults.length === 0 &&
  tried.accepted === 0 &&
  atOnce.accounts === 1
if (values.json)
  console.log(JSON.stringify({ controlMissed: missed, atOnce, rounds: troubles.length, ...tried }, null, 2))
else {
  console.log(
    `${troubles.length} rounds, ${fleet.instances.length} instances: ${tried.answers} acts acknowledged, wrong ${JSON.stringify(tried.wrong)}`,
  )
  console.log(
    `${tried.limitedCalls} calls in windows, faults ${JSON.stringify(tried.windowFaults)}; revoked keys taken ${tried.accepted}`,
  )
}
process.exitCode = isRight ? 0 : 1
