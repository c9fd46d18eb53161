import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { issueKey } from '../../../src/account/keys/issue-key.ts'
import { addAccount } from '../../../src/account/organizations/account.ts'
import { addMember } from '../../../src/account/organizations/member.ts'
import { addProject } from '../../../src/account/organizations/project.ts'
import type { Account, Role } from '../../../src/store/account.ts'
import { startService } from '../../start-service.ts'
import { browse, inSession } from './browse.ts'

/** The console with an owner, an admin, a member whose key opens the project, the owner of another account, and somebody who has not signed in. */
export async function startOrganization(wish: Parameters<typeof startService>[0] = {}) {
  const running = await startService(wish)
  const { service, account, project, url, owner } = running
  const add = (name: string, role: Role, of: Account = account) =>
    addMember(service, COMMAND_LINE, { account: of, email: `${name.toLowerCase()}@example.org`, name, role })
  const admin = await add('Ada', 'admin')
  const member = await add('Mel', 'member')
  const elsewhere = await addAccount(service, COMMAND_LINE, { name: 'Elsewhere', plan: 'team' })
  const stranger = await add('Stan', 'owner', elsewhere)
  const strange = await addProject(service, COMMAND_LINE, { account: elsewhere, name: 'strange' })
  const closed = await addProject(service, COMMAND_LINE, { account, name: 'closed' })
  const held = await issueKey(service, COMMAND_LINE, { project, label: 'Mel’s laptop', member })
  return {
    ...running,
    ...(await inSession(service, url, owner)),
    at: `/console/projects/${project.id}`,
    /** Projects that the member cannot open: of the account, and of the other one. */
    closed,
    strange,
    admin,
    member,
    stranger,
    elsewhere,
    /** The member's key. */
    held,
    add,
    /** The owner of it once more: a session does not last as long as some tests. */
    again: () => inSession(service, url, owner),
    asAdmin: await inSession(service, url, admin),
    asMember: await inSession(service, url, member),
    asStranger: await inSession(service, url, stranger),
    asNobody: browse(url),
  }
}

/** All that the control file holds. */
export function readControl(dataDir: string): Record<string, unknown[]> {
  using database = new Database(join(dataDir, 'control.db'), { readonly: true })
  const tables = database.query<{ name: string }, []>("select name from sqlite_master where type = 'table' order by name").all()
  return Object.fromEntries(tables.map(({ name }) => [name, database.query(`select * from "${name}"`).all()]))
}
