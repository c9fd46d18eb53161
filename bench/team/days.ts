import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { purgeTrash } from '../../src/memory/records/trash/purge.ts'
import { openService } from '../../src/service.ts'
import type { Draw } from '../../test/builders/planted-secrets.ts'
import { compareState, readState } from './compare.ts'
import { type Ledger, now } from './ledger.ts'
import type { Operator } from './operator.ts'
import type { Team } from './people.ts'
import type { Place } from './place.ts'
import { type Running, runCommand } from './running.ts'

/** What happens to the team, and who sees to it. */
export type Scene = {
  ledger: Ledger
  team: Team
  place: Place
  running: Running
  operator: Operator
  draw: Draw
  upgrade: string[]
  say: (line: string) => void
}

const FULL_MS = 4_000
const KEY_LIFETIME_MS = 4_000
/** Within it a command is killed: about as long as one takes. */
const MAX_COMMAND_MS = 1_500
const MAX_DAYS_OF_TRASH = 31
const LEAVER = 'Hana'

/** Besides kills, on each of the fourteen days. */
const DAYS: (keyof typeof EVENTS)[][] = [
  ['revoke'],
  ['move', 'expire'],
  ['disk full'],
  ['backup'],
  ['role', 'cut command', 'revoke'],
  ['purge'],
  ['upgrade'],
  ['cut command', 'expire', 'revoke'],
  ['leave', 'cut command'],
  ['disk full'],
  ['move', 'backup'],
  ['purge', 'role'],
  ['revoke', 'expire'],
  ['backup'],
]
/** One kill in so many milliseconds, and one a day at least. */
const KILL_EVERY_MS = 10_000

/** Lets two weeks pass in so many milliseconds. */
export async function passDays(scene: Scene, durationMs: number): Promise<void> {
  const dayMs = durationMs / DAYS.length
  const startedAt = now()
  for (const [day, names] of DAYS.entries()) {
    const kills = Math.max(1, Math.round(dayMs / KILL_EVERY_MS))
    const planned = [...names, ...Array.from({ length: kills }, () => 'kill' as const)]
      .map((name) => ({ name, at: startedAt + day * dayMs + scene.draw(Math.floor(dayMs)) }))
      .sort((a, b) => a.at - b.at)
    for (const { name, at } of planned) {
      await Bun.sleep(Math.max(0, at - now()))
      scene.say(`day ${day + 1}: ${name}`)
      await EVENTS[name](scene)
      scene.ledger.count(name)
    }
  }
}

const pick = <Of>(draw: Draw, list: Of[]): Of => list[draw(list.length)] as Of
const isStaying = ({ person }: Team['clients'][number]) => person?.name !== LEAVER

const EVENTS = {
  kill: ({ running }: Scene) => running.crash(),
  revoke: ({ operator, team, draw }: Scene) => operator.revoke(pick(draw, team.clients.filter(isStaying))),
  expire: ({ operator, team, draw }: Scene) =>
    operator.issueKey(pick(draw, team.clients.filter(isStaying)), KEY_LIFETIME_MS),
  'cut command': ({ operator, team, draw }: Scene) => operator.cutOff(pick(draw, team.clients), draw(MAX_COMMAND_MS)),
  move: async ({ operator, team, draw }: Scene) => {
    const person = pick(
      draw,
      team.people.filter(({ department }) => department !== undefined),
    )
    await operator.move(
      person,
      pick(
        draw,
        team.departments.filter((id) => id !== person.department),
      ),
    )
  },
  role: async ({ operator, team: { people } }: Scene) => {
    const [, ben] = people
    if (ben === undefined) return
    await operator.changeRole(ben, 'member')
    await operator.changeRole(ben, 'admin')
  },
  leave: async ({ operator, team }: Scene) => {
    const leaver = team.people.find(({ name }) => name === LEAVER)
    if (leaver !== undefined) await operator.remove(leaver)
  },
  'disk full': async ({ place, ledger }: Scene) => {
    if (!place.hasDisk) return ledger.count('left out: disk full (not root)')
    place.fill()
    await Bun.sleep(FULL_MS)
    place.empty()
  },
  purge,
  backup: backUpBeside,
  upgrade,
}

/** Erases what was forgotten, as the service does once it is a month old. */
async function purge({ place, ledger, team }: Scene): Promise<void> {
  const forgotten = ledger.entries.filter(({ forgottenAt }) => forgottenAt !== undefined)
  const clock = { now: Date.now, ticks: () => performance.now() }
  const random = {
    uuid: (at: number) => Bun.randomUUIDv7('hex', at),
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  const config = { ...readConfig({}), dataDir: place.data }
  const service = await openService({ config, clock, random, log: () => {}, version: 'bench' })
  await purgeTrash(service, undefined, Date.now() + MAX_DAYS_OF_TRASH * DAY_MS)
  for (const id of Object.values(team.projects)) {
    const left = await service.store.project(id).listRecords({ visible: undefined, forgotten: true })
    const ids = new Set(left.map((record) => record.id))
    for (const entry of forgotten)
      if (ids.has(entry.id ?? '')) ledger.violate(`'${entry.content}' is still in the trash after a purge`, entry)
  }
  await service.close()
}

/** Backs up beside the service, restores elsewhere, and compares with what was acknowledged meanwhile. */
async function backUpBeside(scene: Scene): Promise<void> {
  const from = now()
  const file = await backUp(scene)
  const to = now()
  const state = await readState(await restore(scene, file), scene.team)
  compareState(scene.ledger, 'a backup beside the service', state, from, to)
}

/** Stops, backs up, compares what is restored elsewhere with what is here, and starts the other build. */
async function upgrade(scene: Scene): Promise<void> {
  const { running, ledger, place, team } = scene
  const status = await running.stop()
  if (status !== 0) ledger.violate(`the service ended with status ${status}`)
  const here = await readState(place.data, team)
  const restored = await readState(await restore(scene, await backUp(scene)), team)
  for (const part of Object.keys(here) as (keyof typeof here)[])
    if (!Bun.deepEquals(here[part], restored[part])) ledger.violate(`a restored backup differs in its ${part}`)
  await running.start(scene.upgrade)
}

async function backUp({ place, operator }: Scene): Promise<string> {
  const file = join(place.folder, `${crypto.randomUUID()}.backup`)
  await operator.must('backup', file, '--without-key')
  return file
}

/** Restores into a folder that is emptied first. */
async function restore({ place, running, ledger }: Scene, file: string): Promise<string> {
  const folder = join(place.folder, 'restored')
  rmSync(folder, { recursive: true, force: true })
  const { status, err } = await runCommand(
    running.command(),
    ['restore', file, '--data', folder, '--without-key'],
    running.env,
  )
  if (status !== 0) ledger.violate(`memsvc restore: ${err}`)
  rmSync(file)
  return folder
}
