import type { Project } from '../../store/account.ts'
import type { AppContext } from '../context.ts'

/** The projects of every account, also those whose removal has not ended. */
export async function listAllProjects({ store }: AppContext): Promise<Project[]> {
  const accounts = await store.control.listAccounts()
  return (await Promise.all(accounts.map(({ id }) => store.control.listProjects(id)))).flat()
}
