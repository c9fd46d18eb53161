// Whether several instances on one database keep what they acknowledged, while instances are killed, connections are
// ended, the network is cut and stalled, the database is killed, and killed for good while a synchronous standby takes its
// place, and instances are upgraded in turn with a step of the schema, and a key is revoked in every round: what was lost,
// doubled, brought back, admitted beyond a window or refused with room in it, and where a revoked key was taken. First the
// same is tried on a database that does all of that wrong, which must be caught, and instances are started at once on an
// empty database; `--only-rounds` leaves out both. Status 1 where anything is wrong, or the control was not caught. Needs
// PostgreSQL's programs on this machine. Usage:
// bun bench/instances.ts [--rounds 100] [--minutes 600] [--instances 3] [--at-once 10] [--only-rounds] [--service PATH]
// [--json] (PATH: an executable; without it the source is run). After so many minutes no further round begins.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MINUTE_MS } from '../src/clock.ts'
import { startFleet } from '../test/durability/instances/fleet.ts'
import { NOTHING_WRONG_HERE, tryFleet } from '../test/durability/instances/rounds.ts'
import { findMissed, sabotage } from '../test/durability/instances/sabotage.ts'
import { startAtOnce } from '../test/durability/instances/start-at-once.ts'
import { TROUBLES, type Trouble } from '../test/durability/instances/troubles.ts'
import { fromSource } from '../test/durability/rounds.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '600' },
    'only-rounds': { type: 'boolean', default: false },
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

/** Kinds of fault that were not found in a database that does all of them. */
async function tryControl(): Promise<string[]> {
  const control = await startFleet(command, 2)
  await sabotage(control)
  const troubles = TROUBLES.slice(0, CONTROL_ROUNDS)
  const tried = await tryFleet(control, troubles, { answers: ANSWERS, windowPauseMs: CONTROL_PAUSE_MS }).finally(
    control.stop,
  )
  return findMissed(tried)
}

/** What goes wrong in each round, until they are over or it is late. */
function* toTroubles(): Generator<Trouble> {
  const end = performance.now() + Number(values.minutes) * MINUTE_MS
  for (let at = 0; at < Number(values.rounds) && performance.now() < end; at++)
    yield TROUBLES[at % TROUBLES.length] ?? 'network cut'
}

const missed = values['only-rounds'] ? [] : await tryControl()
const atOnce = values['only-rounds'] ? undefined : await startAtOnce(command, Number(values['at-once']))
if (missed.length > 0) say(`not caught of a database that does wrong: ${missed.join(', ')}`)
if (atOnce !== undefined) say(`${atOnce.started} started at once: ${atOnce.accounts} account, ${atOnce.keys} key`)

const fleet = await startFleet(command, Number(values.instances))
const tried = await tryFleet(fleet, toTroubles(), {
  answers: ANSWERS,
  windowPauseMs: WINDOW_PAUSE_MS,
  onRound: (round, trouble, answers) => say(`round ${round}, ${trouble}: ${answers} answers so far`),
}).finally(fleet.stop)

const isRight =
  missed.length === 0 &&
  Bun.deepEquals(tried.wrong, NOTHING_WRONG_HERE) &&
  tried.windowFaults.length === 0 &&
  tried.accepted === 0 &&
  (atOnce === undefined || atOnce.accounts === 1)
if (values.json) console.log(JSON.stringify({ controlMissed: missed, atOnce, ...tried }, null, 2))
else {
  console.log(
    `${tried.rounds} rounds, ${fleet.instances.length} instances: ${tried.answers} acts acknowledged, wrong ${JSON.stringify(tried.wrong)}`,
  )
  console.log(
    `${tried.limitedCalls} calls in windows, faults ${JSON.stringify(tried.windowFaults)}; revoked keys taken ${tried.accepted}`,
  )
}
process.exitCode = isRight ? 0 : 1
