import type { Caller } from '../../account/auth/caller.ts'
import type { SearchArguments } from '../search/request.ts'

/** A question of a search, how often it was asked, and when last. */
export type AskedQuestion = { caller: Caller; query: string; also: string[] | undefined; asked: number; at: number }

/**
 * Questions of searches that are not yet judged, of projects that keep those without an answer. Bounded: of a project,
 * and of all, more different ones than these are left out until the waiting ones are taken.
 */
export type WaitingQuestions = {
  add: (caller: Caller, args: SearchArguments, at: number) => void
  /** Removes and returns all, by project. */
  take: () => Map<string, AskedQuestion[]>
}

export const MAX_WAITING_OF_PROJECT = 100
const MAX_WAITING = 500

export function createWaitingQuestions(): WaitingQuestions {
  const waiting = new Map<string, Map<string, AskedQuestion>>()
  let size = 0
  return {
    add: (caller, { query, also }, at) => {
      const ofProject = waiting.get(caller.projectId) ?? new Map<string, AskedQuestion>()
      const key = JSON.stringify([query, also])
      const known = ofProject.get(key)
      if (known !== undefined) {
        known.asked += 1
        known.at = at
      } else if (size < MAX_WAITING && ofProject.size < MAX_WAITING_OF_PROJECT) {
        size += 1
        waiting.set(caller.projectId, ofProject.set(key, { caller, query, also, asked: 1, at }))
      }
    },
    take: () => {
      const taken = new Map([...waiting].map(([projectId, asked]) => [projectId, [...asked.values()]]))
      waiting.clear()
      size = 0
      return taken
    },
  }
}
