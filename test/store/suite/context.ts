import type { Account, Key, Member, Project } from '../../../src/store/account.ts'
import type { AuditEntry } from '../../../src/store/audit.ts'
import type { NewRecord, StoredRecord } from '../../../src/store/record.ts'
import type { Store } from '../../../src/store/store.ts'

/**
 * What a test of the suite works with. The account `a1` has the member `m1`, the projects `p1` and `p2` and the key
 * `k1` of `p1`.
 */
export type Suite = {
  readonly store: Store
  /** The time of windows, in milliseconds, for a test to move. */
  readonly time: { now: number }
  /** Opens the same data once more, as another process would. */
  openAgain: () => Promise<Store>
  /** Saves a record into the workspace `default`, which is made when it is needed. */
  insert: (id: string, change?: Partial<NewRecord>, projectId?: string) => Promise<StoredRecord>
}

export const NOW = Date.UTC(2026, 0, 15)

export const account: Account = {
  id: 'a1',
  name: 'Acme',
  plan: 'team',
  limits: { records: 5 },
  credentialPolicy: 'reject',
  markedPolicy: 'caution',
  subscribedAt: NOW,
  subscribedUntil: null,
  suspendedAt: null,
  removedAt: null,
  createdAt: NOW,
}

export const project = (id: string, name = id): Project => ({
  id,
  accountId: 'a1',
  name,
  createdAt: NOW,
  removedAt: null,
  credentialRules: null,
  keepsQuestions: false,
})

export const member: Member = {
  id: 'm1',
  accountId: 'a1',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'owner',
  departmentId: null,
  createdAt: NOW,
  historyAccess: 'unconfirmed',
  removedAt: null,
}

export const key: Key = {
  id: 'k1',
  digest: 'd1',
  shown: 'abcdefgh',
  label: 'Laptop',
  projectId: 'p1',
  memberId: 'm1',
  toolNames: 'dotted',
  createdAt: NOW,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  readsHistories: true,
}

export const record = (id: string, change: Partial<NewRecord> = {}): NewRecord => ({
  id,
  workspaceId: 1,
  audience: '*',
  authorId: 'm1',
  content: `content of ${id}`,
  factKey: id,
  factKeyGiven: false,
  status: 'unverified',
  supersededBy: null,
  sourceId: null,
  sourceHash: null,
  askedAs: null,
  createdAt: NOW,
  expiresAt: null,
  forgottenAt: null,
  refreshedAt: null,
  verifiedAt: null,
  needsReview: false,
  marked: false,
  entry: { terms: `content of ${id}`, language: 'en', length: 3, codes: null, rules: 1 },
  ...change,
})

export const auditEntry = (change: Partial<AuditEntry>): AuditEntry => ({
  at: NOW,
  accountId: 'a1',
  projectId: null,
  actor: 'operator',
  act: 'key.issue',
  target: null,
  via: null,
  outcome: 'done',
  details: {},
  ...change,
})

export const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)
