import { tidy } from '../account/upkeep.ts'
import { reindexProject } from '../memory/search/index/reindex.ts'
import { onProject } from './service-command.ts'
import { countOf } from './terminal/text.ts'

export const reindexCommand = onProject('reindex', "rebuild a project's search index, also while the service runs", {
  act: async (service, { id, name }) => {
    const records = await reindexProject(service.store.project(id))
    await tidy(service)
    return { project: name, records }
  },
  toText: ({ project, records }) => `rebuilt the index of '${project}': ${countOf(records, 'record')}`,
})
