import { toEntry } from '../../src/memory/search/index/index-entry.ts'
import { checkStore } from '../../src/store/open-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { currentOf, type Entry, isSurelyThere, type Ledger } from './ledger.ts'
import type { Team } from './people.ts'

const MAX_AUDIT_LINES = 100_000

export type State = Awaited<ReturnType<typeof readState>>
type Kept = State['records'][number]

/** What a data folder holds, which nobody writes to, and what a check of every file finds. */
export async function readState(dataDir: string, { projects }: Team) {
  const faults: string[] = []
  for await (const part of checkStore({ dataDir }, { toEntry }))
    faults.push(...part.faults.map(({ text }) => `${part.name}: ${text}`))
  const store = await openSqliteStore(dataDir, Date.now)
  const list = async (forgotten: boolean) => {
    const lists = Object.values(projects).map(async (id) => {
      const records = await store.project(id).listRecords({ visible: undefined, forgotten })
      return records.map((record) => ({ ...record, project: id }))
    })
    return (await Promise.all(lists)).flat()
  }
  const state = {
    faults,
    records: await list(false),
    trash: await list(true),
    audit: await store.control.listAudit({ limit: MAX_AUDIT_LINES }),
    members: await store.control.list('members', {}),
    keys: await store.control.list('keys', {}),
  }
  await store.close()
  return state
}

/**
 * Compares what is stored with what was acknowledged. The state is one of the span: what changed within it may be there
 * as it was before or after.
 */
export function compareState(ledger: Ledger, what: string, state: State, from: number, to: number): void {
  for (const fault of state.faults) ledger.violate(`${what}: ${fault}`)
  const byContent = Map.groupBy(state.records, ({ content }) => content)
  for (const [content, records] of byContent) {
    const entry = ledger.byContent.get(content)
    if (records.length > 1) ledger.violate(`${what}: '${content}' is there ${records.length} times`, entry)
    if (entry === undefined) ledger.violate(`${what}: nobody saved '${content}'`)
  }
  for (const entry of ledger.entries) {
    const fault = findFault(entry, byContent.get(entry.content)?.[0], from, to)
    if (fault !== undefined) ledger.violate(`${what}: '${entry.content}' ${fault}`, entry)
  }
  for (const { id, content } of state.trash)
    if (ledger.byContent.get(content)?.forgetAskedAt === undefined)
      ledger.violate(`${what}: ${id} is in the trash, and nobody forgot it`, ledger.byContent.get(content))
}

function findFault(entry: Entry, kept: Kept | undefined, from: number, to: number): string | undefined {
  if (kept === undefined) return isSurelyThere(entry, from, to) ? 'is lost' : undefined
  if (entry.isRefused) return 'is there, though its save was refused'
  if (entry.askedAt > to) return 'is there before it was saved'
  if (entry.forgottenAt !== undefined && entry.forgottenAt < from) return 'is there, though it was forgotten'
  if (entry.id !== undefined && entry.id !== kept.id) return `is ${kept.id}, and was acknowledged as ${entry.id}`
  if (entry.project !== kept.project || entry.audience !== kept.audience)
    return `is for ${kept.audience} of ${kept.project}, and was saved for ${entry.audience} of ${entry.project}`
  return undefined
}

/** Whether each fact has one current record, the one that was acknowledged last; while nobody corrects any. */
export function compareFacts(ledger: Ledger, { records }: State): void {
  for (const fact of ledger.facts) {
    const isOf = (one: Kept) =>
      one.factKey === fact.key && one.project === fact.project && one.audience === fact.audience
    const current = records.filter((one) => isOf(one) && one.status !== 'superseded').map(({ id }) => id)
    const expected = currentOf(fact)
    if (current.length > 1 || (!fact.isUncertain && current[0] !== expected?.id))
      ledger.violate(
        `fact ${fact.key} of ${fact.audience}: current is [${current}], and should be ${expected?.id}`,
        expected,
      )
  }
}

type Expected = { act: string; target: string }[]

/** Whether the audit log has each management act that was acknowledged, once, and each key that there is. */
export function compareAudit(ledger: Ledger, { projects }: Team, expected: Expected, { audit, keys }: State): void {
  const toName = ({ act, target }: { act: string; target: string | null }) => `${act} ${target}`
  const there = Map.groupBy(audit, toName)
  for (const [name, times] of Map.groupBy(expected, toName)) {
    const count = there.get(name)?.length ?? 0
    if (count !== times.length) ledger.violate(`the audit log has '${name}' ${count} times, and not ${times.length}`)
  }
  const ids = keys.filter(({ projectId }) => Object.values(projects).includes(projectId)).map(({ id }) => id)
  const issued = audit.filter(({ act }) => act === 'key.issue').map(({ target }) => target ?? '')
  for (const id of new Set(ids).symmetricDifference(new Set(issued)))
    ledger.violate(`key ${id} is in one only of the keys and the audit log`)
}
