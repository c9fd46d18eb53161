import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Store } from '../../src/store/store.ts'
import { describeAccounts } from './suite/accounts.ts'
import { describeAudit } from './suite/audit.ts'
import { describeCallErrors } from './suite/call-errors.ts'
import { account, key, member, NOW, project, record, type Suite } from './suite/context.ts'
import { describeDailyUse } from './suite/daily-use.ts'
import { describeFacts } from './suite/facts.ts'
import { describeHistories } from './suite/histories.ts'
import { describeIntegrations } from './suite/integrations.ts'
import { describeKeys } from './suite/keys.ts'
import { describeOAuth } from './suite/oauth.ts'
import { describeQuestions } from './suite/questions.ts'
import { describeProjects, describeRecords } from './suite/records.ts'
import { describeReleases } from './suite/releases.ts'
import { describeSearch } from './suite/search.ts'
import { describeSignIns } from './suite/sign-ins.ts'
import { describeStatistics } from './suite/statistics.ts'
import { describeWindows } from './suite/windows.ts'
import { describeWorkspaces } from './suite/workspaces.ts'
import { coverVerbs, retryWrites } from './suite/wrapped.ts'
import { describeWrites } from './suite/writes.ts'

/**
 * An engine's new, empty store, how to open the same data once more, as another process would, and how to remove it.
 */
export type Opened = { store: Store; openAgain: () => Promise<Store>; remove: () => Promise<void> }

const ROOMS = [
  describeAccounts,
  describeKeys,
  describeSignIns,
  describeOAuth,
  describeIntegrations,
  describeAudit,
  describeCallErrors,
  describeDailyUse,
  describeWrites,
  describeProjects,
  describeRecords,
  describeStatistics,
  describeFacts,
  describeWorkspaces,
  describeSearch,
  describeReleases,
  describeQuestions,
  describeHistories,
  describeWindows,
]

/** `time` is the clock of the windows. */
type Open = (time: { now: number }) => Promise<Opened>

/** What every engine of the type `Store` must do: every verb, also where the engine runs each write twice. */
export function describeStore(name: string, open: Open): void {
  describeRooms(name, open)
  const retried: Open = async (time) => {
    const opened = await open(time)
    return { ...opened, store: retryWrites(opened.store), openAgain: async () => retryWrites(await opened.openAgain()) }
  }
  describeRooms(`${name}, each write undone once and run again`, retried)
}

function describeRooms(name: string, open: Open): void {
  describe(name, () => {
    const coverage = { all: new Set<string>(), called: new Set<string>() }
    let opened: Opened
    let store: Store
    const time = { now: NOW }
    const suite: Suite = {
      time,
      get store() {
        return store
      },
      openAgain: () => opened.openAgain(),
      insert: (id, change = {}, projectId = 'p1') =>
        store.project(projectId).write(async (tx) => {
          const workspace = (await tx.findWorkspace('default')) ?? (await tx.insertWorkspace('default', NOW))
          return tx.insertRecord(record(id, { workspaceId: workspace.id, ...change }))
        }),
    }

    beforeEach(async () => {
      opened = await open(time)
      store = coverVerbs(opened.store, coverage)
      await store.control.write(async (tx) => {
        await tx.insert('accounts', account)
        await tx.insert('members', member)
        await tx.insert('projects', project('p1'))
        await tx.insert('projects', project('p2'))
        await tx.insert('keys', key)
      })
    })
    afterEach(async () => {
      await store.close()
      await opened.remove()
    })

    for (const describeRoom of ROOMS) describeRoom(suite)

    test('every verb is called by the tests above', () => {
      expect([...coverage.all].filter((verb) => !coverage.called.has(verb))).toEqual([])
    })
  })
}
