import type { ProjectReads } from '../../project.ts'
import { keep } from '../control/keep.ts'

/** Reads of a project's file, of which those that every search begins with are kept until anybody changes the file. */
export function keepReads(reads: ProjectReads, version: () => number): ProjectReads {
  const findWorkspace = keep(reads.findWorkspace, version)
  const readHoldings = keep(reads.readHoldings, version)
  const readTongues = keep(reads.readTongues, version)
  const isWrittenFor = keep(async (asked) => {
    const [workspaceId, ...visible] = JSON.parse(asked)
    return reads.isWrittenFor(visible, workspaceId)
  }, version)
  const readIndexing = keep(reads.readIndexing, version)
  const listFew = keep((most) => reads.listFew(Number(most)), version)
  return {
    ...reads,
    findWorkspace: async (name) => findWorkspace(name),
    readHoldings: async () => (await readHoldings('')) ?? [],
    readTongues: async () => (await readTongues('')) ?? [],
    isWrittenFor: async (visible, workspaceId) => (await isWrittenFor(JSON.stringify([workspaceId, ...visible]))) ?? false,
    readIndexing: async () => readIndexing(''),
    listFew: async (most) => listFew(`${most}`),
  }
}
