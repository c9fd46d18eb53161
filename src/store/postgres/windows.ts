import { sql } from 'drizzle-orm'
import { type FullWindow, type Place, WINDOW_MS, type Windows } from '../windows.ts'
import type { Connection } from './connection.ts'
import { toText } from './exact-text.ts'
import type { Pool } from './pool.ts'
import { createReadRun } from './run.ts'
import { windowPlaces } from './schema/windows.ts'

/** Requests that are asked for by one statement, each for its own windows. */
const MAX_REQUESTS = 100

type Request = { places: Place[]; answer: (full: FullWindow | undefined) => void; fail: (error: unknown) => void }

/**
 * What the function `take_places` answers to requests for the same windows: how many of them were admitted, and which
 * window is full for the others.
 */
type Answer = { admitted: number; full: number | null; wait: number }

/**
 * Windows in tables shared by all instances. Requests that wait together are sent in one statement, which locks the
 * rows of their windows only while it runs, so a hanging instance blocks no other. If the connection is lost before the
 * answer, the request is repeated under the same number, and takes nothing twice.
 */
export function createWindows(pool: Pool, sharedNow: (() => number) | undefined): Windows {
  const run = createReadRun(pool, undefined)
  const instance = crypto.randomUUID()
  const queue: Request[] = []
  let number = 0
  let isAsking = false

  async function drain(): Promise<void> {
    isAsking = true
    while (queue.length > 0) {
      const groups = toGroups(queue.splice(0, MAX_REQUESTS))
      number += 1
      try {
        const answers = await run((connection) => ask(connection, { instance, number }, groups, sharedNow?.()))
        for (const [at, requests] of groups.entries()) answerAll(requests, answers[at])
      } catch (error) {
        for (const request of groups.flat()) request.fail(error)
      }
    }
    isAsking = false
  }

  return {
    take: (places) =>
      new Promise((answer, fail) => {
        queue.push({ places, answer, fail })
        if (!isAsking) pool.track(drain())
      }),
    count: (id) =>
      run(async ({ db }) => {
        const isTaken = sql`window_id = ${sql.param(id, windowPlaces.windowId)} and taken_at > windows_now(${sharedNow?.() ?? null}::bigint) - ${WINDOW_MS}`
        const [row] = await db.execute<{ n: number }>(
          sql`select coalesce(sum(places), 0)::integer as n from window_places where ${isTaken}`,
        )
        return row?.n ?? 0
      }),
  }
}

/** Requests for the same places stand together: the statement's work grows with the groups alone. */
const toGroups = (requests: Request[]): Request[][] => [
  ...Map.groupBy(requests, ({ places }) => JSON.stringify(places)).values(),
]

type Asked = { instance: string; number: number }

async function ask({ db }: Connection, by: Asked, groups: Request[][], now: number | undefined): Promise<Answer[]> {
  const asked = groups.map(([first, ...others]) => ({
    places: first?.places.map(({ id, limit }) => ({ id: toText(id).toWellFormed(), limit })),
    count: 1 + others.length,
  }))
  const [row] = await db.execute<{ answers: Answer[] }>(
    sql`select take_places(${by.instance}, ${by.number}, ${JSON.stringify(asked)}::text::json, ${now ?? null}::bigint) as answers`,
  )
  return row?.answers ?? []
}

function answerAll(requests: Request[], answer: Answer | undefined): void {
  for (const [at, { places, answer: resolve, fail }] of requests.entries()) {
    if (answer === undefined) fail(new Error('the database did not say whether there was room'))
    else resolve(at < answer.admitted ? undefined : toFull(places, answer))
  }
}

function toFull(places: Place[], { full, wait }: Answer): FullWindow | undefined {
  const place = full === null ? undefined : places[full]
  return place && { id: place.id, untilFreeMs: wait }
}

/** Forgets windows that nobody took a place of in the last 60 seconds. */
export async function sweepWindows(pool: Pool, sharedNow: (() => number) | undefined): Promise<void> {
  await pool.use(undefined, ({ db }) => db.execute(sql`select sweep_windows(${sharedNow?.() ?? null}::bigint)`))
}
