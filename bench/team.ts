// Two weeks of a team in an hour, or in so many minutes: eight people, twelve clients over POST /mcp and two local
// agents with session histories, while the service is killed, its disk is full, it is upgraded, keys expire and are
// revoked, somebody leaves, what is forgotten is erased, and backups are restored elsewhere. A ledger of what was
// acknowledged says what must be true, and is compared with every answer and with what is stored. Prints what was done
// and each violation with its history; status 1 where there is any. The same seed draws the same acts for each caller;
// how they interleave differs. Usage: bun bench/team.ts [--minutes 60] [--seed 1] [--executable FILE] [--upgrade FILE]
// [--sabotage lost-commits.ts] (without an executable the source is run, with a file of test/durability/sabotage/ a
// broken one: lost-commits.ts is caught within two minutes; the disk is full only where this process is root)
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createDraw } from '../test/builders/planted-secrets.ts'
import { fromSource } from '../test/durability/rounds.ts'
import { openMachine } from './team/agents.ts'
import { work } from './team/assistant.ts'
import { compareAudit, compareFacts, compareState, readState } from './team/compare.ts'
import { passDays } from './team/days.ts'
import { createLedger, now } from './team/ledger.ts'
import { createOperator } from './team/operator.ts'
import { foundTeam } from './team/people.ts'
import { makePlace } from './team/place.ts'
import { createRunning } from './team/running.ts'
import { callOverHttp } from './team/wire.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    executable: { type: 'string' },
    upgrade: { type: 'string' },
    sabotage: { type: 'string' },
  },
})

/** Between two acts of one client, on average. */
const PAUSE_MS = 250
const SEEDS_OF_A_CALLER = 1e6
const SEEDS_OF_A_RUN = 1e8

const seed = Number(values.seed)
const command = values.executable === undefined ? fromSource(values.sabotage) : [resolve(values.executable)]
const upgrade = values.upgrade === undefined ? command : [resolve(values.upgrade)]
const say = (line: string) => process.stderr.write(`${line}\n`)

const place = makePlace()
const ledger = createLedger()
const team = await foundTeam(place.data)
const running = createRunning(command, place.data)
process.once('exit', () => {
  running.kill()
  place.remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await running.ready()
const operator = createOperator(ledger, running, team)
const machines = await Promise.all(team.agents.map((seat) => openMachine(ledger, seat, running, place.folder)))

let hasEnded = false
const isOver = () => hasEnded
const callers = [
  ...team.clients.map((seat) => ({ seat, call: callOverHttp(running.url, () => seat.key.secret) })),
  ...team.agents.map((seat, at) => ({ seat, call: machines[at]?.call ?? callOverHttp(running.url, () => '') })),
]
const working = callers.map(({ seat, call }, at) =>
  work({
    ledger,
    seat,
    call,
    operator,
    pauseMs: PAUSE_MS,
    isOver,
    seed: seed * SEEDS_OF_A_RUN + at * SEEDS_OF_A_CALLER,
  }),
)
const growing = machines.map(({ grow }) => grow(isOver))
await passDays(
  { ledger, team, place, running, operator, upgrade, say, draw: createDraw(seed) },
  Number(values.minutes) * 60_000,
)
hasEnded = true
await Promise.all([...working, ...growing])
for (const machine of machines) {
  await machine.check()
  await machine.stop()
}
await running.stop()

const state = await readState(place.data, team)
compareState(ledger, 'at the end', state, now(), now())
compareFacts(ledger, state)
compareAudit(ledger, team, operator.expected, state)

for (const [kind, times] of [...ledger.counts].sort()) console.log(`${kind.padEnd(32)}${String(times).padStart(8)}`)
for (const { text, history } of ledger.violations.slice(0, 50))
  console.log(`VIOLATION ${text}\n  ${history.join('\n  ')}`)
console.log(`${ledger.violations.length} violations (seed ${seed})`)
process.exitCode = ledger.violations.length === 0 ? 0 : 1
