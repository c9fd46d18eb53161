import { waitUntil } from '../../test/wait-until.ts'
import { type Ledger, now } from './ledger.ts'
import { type Person, type Seat, type Team, toKey } from './people.ts'
import { type Running, runCommand } from './running.ts'

const MAX_TRIES_MS = 60_000
/** A word that names a command, and not what it is about. */
const COMMAND = /^[a-z]+$/

export type Operator = ReturnType<typeof createOperator>
type Issued = { id: string; key: string }

/** Who manages the team by the command line of the same executable, beside the service. */
export function createOperator(ledger: Ledger, running: Running, team: Team) {
  /** Audit events that must be there, once each. */
  const expected: { act: string; target: string }[] = []
  const expect = (act: string, target = '') => void expected.push({ act, target })

  /** Runs a command until it succeeds: on a full disk it does not. Returns what it prints. */
  async function must<Value>(...words: string[]): Promise<Value> {
    let out = ''
    await waitUntil(
      words.join(' '),
      async () => {
        const ran = await runCommand(running.command(), [...words, '--json'], running.env)
        out = ran.out
        if (ran.status !== 0) refuse(words, ran.err)
        return ran.status === 0
      },
      MAX_TRIES_MS,
    )
    ledger.count(['memsvc', ...words.slice(0, 2).filter((word) => COMMAND.test(word))].join(' '))
    return JSON.parse(out) as Value
  }

  function refuse(words: string[], reason: string): void {
    if (reason.includes('the disk is full')) ledger.count('refused: disk full')
    else ledger.violate(`memsvc ${words.join(' ')}: ${reason.trim()}`)
  }

  return {
    expected,
    expect,
    must,
    /** Gives a seat another key, which may expire. */
    issueKey: async (seat: Seat, lifetimeMs?: number) => {
      const end = lifetimeMs === undefined ? undefined : Math.floor(now() + lifetimeMs)
      const { id, key } = await must<Issued>(
        ...['key', 'issue', '--project', seat.project],
        ...(seat.person ? ['--member', seat.person.email] : []),
        ...(end === undefined ? [] : ['--expires', new Date(end).toISOString()]),
      )
      expect('key.issue', id)
      seat.key = toKey(id, key, end)
      if (seat.person === undefined) seat.author = id
    },
    /** Kills a command at some moment: it has issued a key and said so in the audit log, or neither. */
    cutOff: async (seat: Seat, afterMs: number) => {
      const [program = '', ...words] = [...running.command(), 'key', 'issue', '--project', seat.project]
      const ran = Bun.spawn([program, ...words], { env: running.env, stdout: 'ignore', stderr: 'ignore' })
      await Bun.sleep(afterMs)
      ran.kill('SIGKILL')
      await ran.exited
    },
    revoke: async (seat: Seat) => {
      const { key } = seat
      key.endsFrom = Math.min(key.endsFrom, now())
      await must('key', 'revoke', key.id)
      key.endedAt = Math.min(key.endedAt, now())
      expect('key.revoke', key.id)
    },
    /** Ends every key of a member. */
    remove: async (person: Person) => {
      person.isLeaving = true
      const keys = [...team.clients, ...team.agents].filter((seat) => seat.person === person).map(({ key }) => key)
      for (const key of keys) key.endsFrom = Math.min(key.endsFrom, now())
      await must('member', 'remove', person.email)
      for (const key of keys) key.endedAt = Math.min(key.endedAt, now())
      expect('member.remove', person.id)
    },
    /** Moves a member between two acts of their assistants, which save for their department. */
    move: async (person: Person, department: string) => {
      person.isMoving = true
      await waitUntil(`${person.name} may move`, () => person.actsUnderWay === 0, MAX_TRIES_MS)
      await must('member', 'move', person.email, '--department', department)
      person.department = department
      person.isMoving = false
      expect('member.move', person.id)
    },
    changeRole: async (person: Person, role: string) => {
      await must('member', 'role', person.email, role)
      expect('member.role', person.id)
    },
  }
}
