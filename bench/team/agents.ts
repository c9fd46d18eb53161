import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../test/wait-until.ts'
import type { Ledger } from './ledger.ts'
import type { Seat } from './people.ts'
import { type Running, runCommand } from './running.ts'
import { openRelay } from './wire.ts'

const SESSIONS = 3
const PAUSE_MS = 400
const MAX_UPLOAD_MS = 60_000

type Line = { session: string; uuid: string }

/**
 * The machine of a person: a local agent between their assistant and the service, which uploads sessions of Claude Code
 * while they grow.
 */
export async function openMachine(ledger: Ledger, seat: Seat, running: Running, folder: string) {
  const home = join(folder, seat.name.replaceAll(/\W+/g, '-'))
  const app = join(home, 'app')
  const histories = join(home, '.claude/projects/-app')
  for (const each of [app, histories]) mkdirSync(each, { recursive: true })
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    SVC_STATE_DIR: join(home, 'state'),
    SVC_ENDPOINT: running.url,
    SVC_API_KEY: seat.key.secret,
  }
  const run = (...words: string[]) => runCommand(running.command(), words, env)
  const enabled = await run('sync', 'enable', app, '--yes')
  if (enabled.status !== 0) throw new Error(`sync enable: ${enabled.err}`)
  const relay = openRelay(running.command(), env)
  const sessions = Array.from({ length: SESSIONS }, () => crypto.randomUUID())
  const lines: Line[] = []

  function write(at: number): void {
    const line = { session: sessions[at % SESSIONS] ?? '', uuid: crypto.randomUUID() }
    const message = { role: 'user', content: `What was said as number ${at} of ${seat.name}?` }
    const rest = { sessionId: line.session, cwd: app, timestamp: new Date().toISOString(), version: '2.1.330', message }
    appendFileSync(
      join(histories, `${line.session}.jsonl`),
      `${JSON.stringify({ type: 'user', uuid: line.uuid, ...rest })}\n`,
    )
    lines.push(line)
    ledger.count('lines of histories')
  }

  return {
    call: relay.call,
    /** Lets the sessions grow. */
    grow: async (isOver: () => boolean) => {
      for (let at = 0; !isOver() || at < SESSIONS; at++) {
        write(at)
        await Bun.sleep(PAUSE_MS)
      }
    },
    /** Whether every line is at the service once, and none of anybody else. */
    check: async () => {
      await waitUntil('all is uploaded', async () => (await run('sync', 'now')).status === 0, MAX_UPLOAD_MS)
      for (const session of sessions) {
        const { status, out, err } = await run('history', 'export', session)
        if (status !== 0) ledger.violate(`${seat.name}: history export ${session}: ${err.trim()}`)
        const uuids = out
          .split('\n')
          .filter(Boolean)
          .map((line) => (JSON.parse(line) as Line).uuid)
        const written = lines.filter((line) => line.session === session).map(({ uuid }) => uuid)
        if (!Bun.deepEquals(uuids, written))
          ledger.violate(`${seat.name}: session ${session} has ${uuids.length} lines, ${written.length} were written`)
      }
      const listed = JSON.parse((await run('history', 'list', '--json')).out) as { sessions: unknown[] }
      if (listed.sessions.length !== SESSIONS)
        ledger.violate(`${seat.name} is shown ${listed.sessions.length} sessions, and has ${SESSIONS}`)
    },
    stop: relay.stop,
  }
}

export type AgentMachine = Awaited<ReturnType<typeof openMachine>>
