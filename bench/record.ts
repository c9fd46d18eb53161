import type { NewRecord } from '../src/store/record.ts'

type Given = Pick<NewRecord, 'workspaceId' | 'authorId' | 'content' | 'factKey' | 'sourceId'> & { id?: string }

/**
 * A record as it is saved for the first time, visible to everyone of its project; its id is a new one unless it is
 * given.
 */
export const toRecord = (given: Given): Omit<NewRecord, 'entry'> => ({
  id: Bun.randomUUIDv7(),
  audience: '*',
  factKeyGiven: false,
  status: 'unverified',
  supersededBy: null,
  sourceHash: null,
  askedAs: null,
  createdAt: Date.now(),
  expiresAt: null,
  forgottenAt: null,
  refreshedAt: null,
  verifiedAt: null,
  needsReview: false,
  marked: false,
  ...given,
})
