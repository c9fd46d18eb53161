import { createDraw, type Draw } from '../../test/builders/planted-secrets.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { toContent } from './contents.ts'
import { type Found, judgeFound, judgeKey, judgeSought, type Span, sees } from './judge.ts'
import { currentOf, type Entry, type Fact, type Ledger, note, now } from './ledger.ts'
import type { Operator } from './operator.ts'
import type { Seat } from './people.ts'
import type { Answer, Call } from './wire.ts'

/** An assistant at its seat. `pauseMs` lies between two acts. */
export type Work = {
  ledger: Ledger
  seat: Seat
  /** Each act is drawn with a number of its own, so that it does not depend on what came of those before. */
  seed: number
  call: Call
  operator: Operator
  pauseMs: number
  isOver: () => boolean
}

type Act = Work & { draw: Draw }
type Settled = Span & { answer: Answer; wasCut: boolean }

const RETRY_MS = 250
const MAX_ACT_MS = 120_000
/** Calls with a key that has ended, before its holder asks for another. */
const REFUSED_CALLS = 3
const FULL = 'the disk is full; nothing was saved'
const FACTS = 4

/** Saves, corrects, forgets and searches until the end, or until the key ends of somebody who leaves. */
export async function work(at: Work): Promise<void> {
  const { seat, isOver, pauseMs, seed } = at
  for (let nth = 0; !isOver(); nth++) {
    const draw = createDraw(seed + nth)
    await waitUntil(`${seat.name} may act`, () => seat.person?.isMoving !== true, MAX_ACT_MS)
    if (seat.person !== undefined) seat.person.actsUnderWay += 1
    const isEnded = await act({ ...at, draw }).finally(() => {
      if (seat.person !== undefined) seat.person.actsUnderWay -= 1
    })
    if (isEnded && !(await takeNewKey(at))) return
    await Bun.sleep(pauseMs / 2 + draw(pauseMs))
  }
}

/** One act, drawn. Returns whether the key has ended. */
async function act(at: Act): Promise<boolean> {
  const { ledger, seat, draw } = at
  const drawn = draw(100)
  if (drawn < 40) return save(at, drawAudience(at))
  if (drawn < 55) return correct(at)
  if (drawn < 65) return forgetOne(at)
  if (drawn < 72) return list(at)
  const told = ledger.entries.filter(({ toldAt, project }) => toldAt !== undefined && project === seat.project)
  const sought = told[draw(Math.max(told.length, 1))]
  return sought === undefined ? list(at) : seek(at, sought)
}

/** Calls until it is known what became of it. */
async function settle(at: Work, tool: string, args: object): Promise<Settled> {
  const { ledger, seat, call } = at
  for (let wasCut = false; ; wasCut = true) {
    const [key, sentAt] = [seat.key, now()]
    const answer = await call(tool, args)
    const span = { sentAt, answeredAt: now() }
    judgeKey(ledger, seat, key, answer, span)
    const isFull = answer.kind === 'refused' && answer.text.endsWith(FULL)
    if (isFull) ledger.count('refused: disk full')
    if (answer.kind === 'ended') ledger.count('refused: key ended')
    if (answer.kind === 'done') ledger.count(tool)
    if (answer.kind === 'cut') ledger.count('answers cut off')
    else if (!(isFull && wasCut)) return { ...span, answer, wasCut }
    await Bun.sleep(RETRY_MS)
  }
}

function drawAudience({ seat, draw }: Act): string {
  const drawn = draw(10)
  if (drawn < 2) return `a:${seat.author}`
  return drawn < 5 && seat.person?.department !== undefined ? `d:${seat.person.department}` : '*'
}

const SCOPES: Record<string, string> = { '*': 'shared', d: 'department', a: 'draft' }

async function save(at: Act, audience: string, fact?: Fact): Promise<boolean> {
  const { ledger, seat, draw } = at
  const entry = ledger.add((number) => toContent(number, draw), { project: seat.project, audience }, seat.name)
  const before = fact && currentOf(fact)
  if (fact !== undefined) entry.fact = fact
  fact?.chain.push(entry)
  const args = { content: entry.content, scope: SCOPES[audience.charAt(0)], ...(fact && { fact_key: fact.key }) }
  const { answer, wasCut } = await settle(at, 'remember', args)
  if (answer.kind === 'done') {
    const result = answer.result as { id: string; created: boolean; superseded: { id: string }[] }
    ledger.tell(entry, result.id)
    if (!result.created && !wasCut) ledger.violate(`${seat.name}: a new record was there already`, entry)
    if (result.created) expectIds(at, entry, 'superseded', result.superseded, before)
  } else if (!wasCut) {
    entry.isRefused = true
    note(entry, `refused: ${JSON.stringify(answer)}`)
    expectFull(at, answer, entry)
  } else if (fact !== undefined) fact.isUncertain = true
  return answer.kind === 'ended'
}

async function correct(at: Act): Promise<boolean> {
  const { ledger, seat, draw } = at
  const audience = drawAudience(at)
  const key = `team.${draw(FACTS)}`
  const isSame = (one: Fact) => one.key === key && one.project === seat.project && one.audience === audience
  let fact = ledger.facts.find(isSame)
  if (fact?.isHeld || fact?.isUncertain) return list(at)
  if (fact === undefined) {
    fact = { key, project: seat.project, audience, chain: [], isHeld: true, changedAt: 0, isUncertain: false }
    ledger.facts.push(fact)
  }
  return holding(fact, () => save(at, audience, fact))
}

async function holding(fact: Fact | undefined, change: () => Promise<boolean>): Promise<boolean> {
  if (fact === undefined) return change()
  fact.isHeld = true
  return change().finally(() => {
    fact.changedAt = now()
    fact.isHeld = false
  })
}

async function forgetOne(at: Act): Promise<boolean> {
  const { ledger, seat, draw } = at
  const own = ledger.entries.filter(
    (entry) => entry.toldAt !== undefined && entry.forgetAskedAt === undefined && sees(seat, entry) && isFree(entry),
  )
  const entry = own[draw(Math.max(own.length, 1))]
  return entry === undefined ? list(at) : holding(entry.fact, () => forget(at, entry))
}

const isFree = ({ fact }: Entry) => fact === undefined || !(fact.isHeld || fact.isUncertain)

async function forget(at: Work, entry: Entry): Promise<boolean> {
  const { seat, operator } = at
  const wasCurrent = entry.fact !== undefined && currentOf(entry.fact) === entry
  entry.forgetAskedAt = now()
  note(entry, `${seat.name} forgets it`)
  const { answer, wasCut } = await settle(at, 'forget', { id: entry.id })
  if (answer.kind === 'done') {
    entry.forgottenAt = now()
    note(entry, 'told that it is forgotten')
    operator.expect('record.forget', entry.id)
    const back = entry.fact && wasCurrent ? currentOf(entry.fact) : undefined
    expectIds(at, entry, 'current again', (answer.result as { current_again: { id: string }[] }).current_again, back)
  } else if (answer.kind === 'refused' && wasCut) {
    entry.forgottenAt = now()
    note(entry, `forgotten by a call without an answer; then ${answer.text}`)
  } else if (!wasCut) {
    delete entry.forgetAskedAt
    note(entry, `not forgotten: ${JSON.stringify(answer)}`)
    expectFull(at, answer, entry)
  } else if (entry.fact !== undefined) entry.fact.isUncertain = true
  return answer.kind === 'ended'
}

function expectIds({ ledger, seat }: Work, entry: Entry, what: string, named: { id: string }[], one?: Entry): void {
  const [ids, expected] = [named.map(({ id }) => id), one === undefined ? [] : [one.id]]
  if (!Bun.deepEquals(ids, expected))
    ledger.violate(`${seat.name}: ${what} is [${ids}], and should be [${expected}]`, entry)
}

function expectFull({ ledger, seat }: Work, answer: Answer, entry: Entry): void {
  if (answer.kind === 'refused' && !answer.text.endsWith(FULL))
    ledger.violate(`${seat.name} was refused: ${answer.text}`, entry)
}

async function list(at: Work): Promise<boolean> {
  const { answer, ...span } = await settle(at, 'search', { query: '*', limit: 50 })
  if (answer.kind === 'done') judgeFound(at.ledger, at.seat, span, answer.result as Found[])
  return answer.kind === 'ended'
}

async function seek(at: Work, sought: Entry): Promise<boolean> {
  const { answer, ...span } = await settle(at, 'search', { query: `decision ${sought.number}` })
  if (answer.kind === 'done') {
    judgeFound(at.ledger, at.seat, span, answer.result as Found[])
    judgeSought(at.ledger, at.seat, span, sought, answer.result as Found[])
  }
  return answer.kind === 'ended'
}

/** Tries the key that has ended some times more, and takes another one. Returns whether there is one. */
async function takeNewKey(at: Work): Promise<boolean> {
  for (let times = 0; times < REFUSED_CALLS; times++) await list(at)
  if (at.seat.person?.isLeaving) return false
  await at.operator.issueKey(at.seat)
  return true
}
