import { after } from '../../../soon.ts'
import type { ProjectReads } from '../../project.ts'
import { cacheRead } from '../read-cache.ts'

/** Reads of a project's file, of which those that every search begins with are kept until anybody changes the file. */
export function keepReads(reads: ProjectReads, version: () => number): ProjectReads {
  const findWorkspace = cacheRead(reads.findWorkspace, version)
  const readHolding = cacheRead(async (asked) => {
    const [workspaceId, visible] = JSON.parse(asked)
    return reads.readHolding(visible ?? undefined, workspaceId)
  }, version)
  const readLanguages = cacheRead(async (asked) => {
    const [workspaceId, visible] = JSON.parse(asked)
    return reads.readLanguages(visible ?? undefined, workspaceId)
  }, version)
  const isWrittenFor = cacheRead(async (asked) => {
    const [workspaceId, ...visible] = JSON.parse(asked)
    return reads.isWrittenFor(visible, workspaceId)
  }, version)
  const readIndexing = cacheRead(reads.readIndexing, version)
  const listFew = cacheRead((most) => reads.listSmallProject(Number(most)), version)
  return {
    ...reads,
    findWorkspace,
    readHolding: (visible, workspaceId) =>
      after(readHolding(JSON.stringify([workspaceId, visible ?? null])), (found = { records: 0, length: 0 }) => found),
    readLanguages: (visible, workspaceId) => after(readLanguages(JSON.stringify([workspaceId, visible ?? null])), (found = []) => found),
    isWrittenFor: (visible, workspaceId) => after(isWrittenFor(JSON.stringify([workspaceId, ...visible])), (is = false) => is),
    readIndexing: () => readIndexing(''),
    listSmallProject: (most) => listFew(`${most}`),
  }
}
