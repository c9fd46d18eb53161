import { requireAccount } from '../account/organizations/account.ts'
import { requireProject } from '../account/organizations/project.ts'
import type { Service } from '../service.ts'
import type { Project } from '../store/account.ts'

/** The project that options name; `account` tells apart projects of one name. */
export async function findProject(service: Service, { project, account }: { project: string; account?: string }): Promise<Project> {
  return requireProject(service, project, account === undefined ? undefined : await requireAccount(service, account))
}
