import { expect, test } from 'bun:test'
import { compareAudit, compareFacts, compareState, type State } from '../../bench/team/compare.ts'
import { judgeFound, judgeKey, judgeSought } from '../../bench/team/judge.ts'
import { createLedger, type Entry, type Fact } from '../../bench/team/ledger.ts'
import { type Seat, toKey } from '../../bench/team/people.ts'

const ALPHA = { project: 'alpha', audience: '*' }
/** A call that is sent and answered long after whatever a test tells the ledger. */
const LATER = { sentAt: 9e15, answeredAt: 9e15 + 1 }

const seat: Seat = { name: 'Ada', person: undefined, project: 'alpha', author: 'ada', key: toKey('k', 'secret', 1_000) }
const team = {
  accountId: '',
  projects: { alpha: 'alpha', beta: 'beta' },
  departments: [],
  people: [],
  clients: [],
  agents: [],
}

function openLedger() {
  const ledger = createLedger()
  const save = (id: string, place: Pick<Entry, 'project' | 'audience'> = ALPHA) => {
    const entry = ledger.add((number) => `Decision ${number}`, place, 'Ada')
    ledger.tell(entry, id)
    return entry
  }
  const texts = () => ledger.violations.map(({ text }) => text)
  return { ledger, save, texts }
}

const toFound = ({ id = '', content }: Entry, status = 'unverified') => ({ id, content, status, scope: 'shared' })
const toKept = ({ id = '', content, project, audience, fact }: Entry) =>
  ({ id, content, project, audience, factKey: fact?.key ?? '', status: 'unverified' }) as State['records'][number]
const toState = (entries: Entry[], more: Partial<State> = {}): State => ({
  faults: [],
  records: entries.map(toKept),
  trash: [],
  audit: [],
  members: [],
  keys: [],
  ...more,
})

test('the simulated team notices whatever an answer must not show, and what it leaves out', () => {
  const { ledger, save, texts } = openLedger()
  const right = save('1')
  judgeFound(ledger, seat, LATER, [toFound(right)])
  judgeSought(ledger, seat, LATER, right, [toFound(right)])
  expect(texts()).toEqual([])

  const [draft, foreign, forgotten, refused] = [
    save('2', { project: 'alpha', audience: 'a:ben' }),
    save('3', { project: 'beta', audience: '*' }),
    save('4'),
    ledger.add(() => 'Decision refused', ALPHA, 'Ada'),
  ]
  forgotten.forgottenAt = 1
  refused.isRefused = true
  const twice = { ...toFound(right), id: '9' }
  const unknown = { id: '8', content: 'Nobody said so', status: 'unverified', scope: 'shared' }
  for (const found of [toFound(draft), toFound(foreign), toFound(forgotten), toFound(refused), twice, unknown])
    judgeFound(ledger, seat, LATER, [found])
  judgeFound(ledger, seat, LATER, [toFound(right), toFound(right)])
  judgeSought(ledger, seat, LATER, right, [])
  expect(texts()).toEqual([
    expect.stringContaining('it belongs to a:ben of project alpha'),
    expect.stringContaining('it belongs to * of project beta'),
    expect.stringContaining('it was forgotten'),
    expect.stringContaining('its save was refused'),
    expect.stringContaining('it is there twice, also as 1'),
    expect.stringContaining('nobody saved it'),
    'Ada: an answer has a record twice',
    "Ada does not find 'Decision 1000'",
  ])
})

test('the simulated team notices a key that is taken after its end or refused before', () => {
  const { ledger, texts } = openLedger()
  const at = (time: number) => ({ sentAt: time, answeredAt: time })
  judgeKey(ledger, seat, seat.key, { kind: 'done', result: [] }, at(1_000))
  judgeKey(ledger, seat, seat.key, { kind: 'ended' }, at(1_000))
  expect(texts()).toEqual([])
  judgeKey(ledger, seat, seat.key, { kind: 'done', result: [] }, at(2_000))
  judgeKey(ledger, seat, seat.key, { kind: 'ended' }, at(0))
  expect(texts()).toEqual([
    'Ada: the key k was taken 1000 ms after its end',
    'Ada: the key k was refused before its end',
  ])
})

test('the simulated team notices what is stored otherwise than it was acknowledged', () => {
  const { ledger, save, texts } = openLedger()
  const fact: Fact = { ...ALPHA, key: 'f', chain: [], isHeld: false, changedAt: 0, isUncertain: false }
  const [first, second, lost] = [save('1'), save('2'), save('3')]
  ledger.facts.push(fact)
  for (const entry of [first, second]) {
    entry.fact = fact
    fact.chain.push(entry)
  }
  const right = toState([first, second, lost])
  const [older] = right.records
  if (older !== undefined) older.status = 'superseded'
  compareState(ledger, 'the end', right, LATER.sentAt, LATER.answeredAt)
  compareFacts(ledger, right)
  expect(texts()).toEqual([])

  const wrong = toState([first, second], { faults: ['control.db: damaged'] })
  const copy = { ...toKept(first), id: '9' }
  const moved = { ...toKept(second), audience: 'a:ben' }
  compareState(ledger, 'the end', { ...wrong, records: [toKept(first), copy, moved] }, LATER.sentAt, LATER.answeredAt)
  compareFacts(ledger, wrong)
  compareAudit(ledger, team, [{ act: 'key.revoke', target: 'k' }], wrong)
  expect(texts()).toEqual([
    'the end: control.db: damaged',
    "the end: 'Decision 1000' is there 2 times",
    "the end: 'Decision 1001' is for a:ben of alpha, and was saved for * of alpha",
    "the end: 'Decision 1002' is lost",
    'fact f of *: current is [1,2], and should be 2',
    "the audit log has 'key.revoke k' 0 times, and not 1",
  ])
})
