import type { ProjectReads } from '../../project.ts'
import { cacheRead } from '../cached-read.ts'

/** The reads of a project's file, of which those that every search begins with are cached until the file changes. */
export function cacheReads(reads: ProjectReads, version: () => number): ProjectReads {
  return {
    ...reads,
    findWorkspace: cacheRead(reads.findWorkspace, version),
    readAudienceStats: cacheRead(reads.readAudienceStats, version),
    readLanguages: cacheRead(reads.readLanguages, version),
    isWrittenFor: cacheRead(reads.isWrittenFor, version),
    readIndexing: cacheRead(reads.readIndexing, version),
    listSmallProject: cacheRead(reads.listSmallProject, version),
  }
}
