import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { HistoryReads, HistoryStore, HistoryWrites } from '../../history.ts'
import type { Connection } from '../connection.ts'
import type { SqliteFile } from '../file.ts'
import type { OpenFiles } from '../open-files.ts'
import { scrubHistories } from '../scrub.ts'
import { createLineReads, createLineWrites } from './lines.ts'
import { createCountBytes, createOwnerReads } from './owners.ts'
import { createSourceReads, createSourceWrites } from './sources.ts'

/** An open file of session histories. */
export type OpenHistory = { file: SqliteFile; reads: HistoryReads; writes: HistoryReads & HistoryWrites }

export function toOpenHistory(file: SqliteFile): OpenHistory {
  return { file, reads: createReads(file.reader), writes: { ...createReads(file.connection), ...createWrites(file.connection) } }
}

function createReads(client: Connection): HistoryReads {
  const db = drizzle({ client, casing: 'snake_case' })
  return { ...createSourceReads(client, db), ...createLineReads(client), ...createOwnerReads(client) }
}

function createWrites(client: Connection): HistoryWrites {
  const db = drizzle({ client, casing: 'snake_case' })
  const countBytes = createCountBytes(client)
  return {
    ...createSourceWrites(client, db, countBytes),
    ...createLineWrites(client, db, countBytes),
  }
}

/** The verbs of a project's histories. Each opens their file if necessary. */
export function createHistoryStore(files: OpenFiles<OpenHistory>, id: string): HistoryStore {
  const read =
    <Args extends unknown[], Result>(verb: (reads: HistoryReads) => (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      files.use(id, ({ reads }) => verb(reads)(...args))
  return {
    findSource: read((reads) => reads.findSource),
    findSourceByKey: read((reads) => reads.findSourceByKey),
    listSources: read((reads) => reads.listSources),
    findSourcesNamed: read((reads) => reads.findSourcesNamed),
    listSubagents: read((reads) => reads.listSubagents),
    listAllSources: read((reads) => reads.listAllSources),
    listIdleSources: read((reads) => reads.listIdleSources),
    listLines: read((reads) => reads.listLines),
    findLines: read((reads) => reads.findLines),
    findBlock: read((reads) => reads.findBlock),
    readHistoryBytes: read((reads) => reads.readHistoryBytes),
    readHistoryUsage: read((reads) => reads.readHistoryUsage),
    listOwners: read((reads) => reads.listOwners),
    listErased: read((reads) => reads.listErased),
    listBlocks: read((reads) => reads.listBlocks),
    listLinesOfBlock: read((reads) => reads.listLinesOfBlock),
    write: (act) => files.use(id, ({ file, writes }) => file.writer.write(() => act(writes))),
    scrub: () => files.use(id, ({ file }) => scrubHistories(file)),
  }
}
