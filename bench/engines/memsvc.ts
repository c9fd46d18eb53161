import { Database } from 'bun:sqlite'
import { searchMemory } from '../../src/memory/search/search.ts'
import { keep } from '../keep.ts'
import { openBenchService } from '../service.ts'
import type { Engine } from './engine.ts'

/** Condition on the names of the tables that only search uses. */
const IS_INDEX = "name like 'word_index%' or name in ('audience_stats', 'languages')"
/** Texts that share a source, as turns of a conversation do. */
const TEXTS_PER_SOURCE = 20

/** This service, past its guard: saving, and search as the tool calls it. */
export async function openMemsvc(): Promise<Engine> {
  const opened = await openBenchService()
  const { service, caller, projectFile, close } = opened
  let saved = 0
  return {
    name: 'memsvc',
    add: async (texts) => {
      const saves = texts.map((content) =>
        keep(opened, { content, source_id: `s${Math.floor(saved++ / TEXTS_PER_SOURCE)}` }),
      )
      await Promise.all(saves)
    },
    settle: service.store.tidy,
    search: async (query) => (await searchMemory(service, caller, { query })).result.length,
    indexBytes: () => {
      const file = new Database(projectFile)
      const sized = file
        .query<{ bytes: number }, []>(
          `select (select sum(pgsize) from dbstat where ${IS_INDEX}) + (select sum(length(codes)) from records) as bytes`,
        )
        .get()
      file.close()
      return sized?.bytes
    },
    close,
  }
}
