import type { ProjectReads, ProjectWrites } from '../../project.ts'
import type { Foreseen } from './foreseen.ts'

type Same = Pick<ProjectWrites, 'findSame' | 'listSame'>
type Answered = Same & Pick<ProjectReads, 'listRivals' | 'findCurrentHash' | 'findWorkspace'>

/** The verbs by which every save asks, answered from what was read ahead where it has the answer. */
export function createForeseenReads(
  foreseen: Foreseen,
  reads: Pick<ProjectReads, 'listRivals' | 'findCurrentHash' | 'findWorkspace'>,
  same: Same,
): Answered {
  return {
    listSame: async (saved) => foreseen.listSame(saved)?.map(({ content: _content, ...head }) => head) ?? same.listSame(saved),
    findSame: async (saved, now) => {
      const known = foreseen.listSame(saved)
      if (known === undefined) return same.findSame(saved, now)
      const live = known.find(({ status, expiresAt }) => status !== 'superseded' && (expiresAt === null || expiresAt > now))
      if (live === undefined) return undefined
      const { content: _content, ...head } = live
      return head
    },
    listRivals: async (fact, rivals) => foreseen.listRivals(fact, rivals) ?? reads.listRivals(fact, rivals),
    findCurrentHash: async (visible, workspaceId, sourceId) => {
      const known = foreseen.findHash(visible, { workspaceId, sourceId })
      return known === undefined ? reads.findCurrentHash(visible, workspaceId, sourceId) : known.hash
    },
    findWorkspace: async (name) => {
      const known = foreseen.findWorkspace(name)
      if (known !== undefined) return known
      const found = await reads.findWorkspace(name)
      if (found !== undefined) foreseen.setWorkspace(found)
      return found
    },
  }
}
