import type { Project } from '../store/control.ts'
import type { Means } from './means.ts'

/** The projects of every account, also those whose removal has not ended. */
export async function listAllProjects({ store }: Pick<Means, 'store'>): Promise<Project[]> {
  const accounts = await store.control.listAccounts()
  return (await Promise.all(accounts.map(({ id }) => store.control.listProjects(id)))).flat()
}
