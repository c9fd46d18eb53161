import { startService } from '../../start-service.ts'
import { browse, inSession } from './browse.ts'

/**
 * The console with an owner, an admin, a member whose key opens the project, the owner of another account, and somebody
 * who has not signed in.
 */
export async function startOrganization(wish: Parameters<typeof startService>[0] = {}) {
  const running = await startService(wish)
  const { service, org, url, owner, project } = running
  const admin = await org.addMember('Ada', { role: 'admin' })
  const member = await org.addMember('Mel')
  const elsewhere = await org.addAccount('Elsewhere')
  const stranger = await org.addMember('Stan', { account: elsewhere, role: 'owner' })
  const strange = await org.addProject('strange', elsewhere)
  const closed = await org.addProject('closed')
  const held = await org.issueKey({ label: 'Mel’s laptop', member })
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
    /** The owner of it once more: a session does not last as long as some tests. */
    again: () => inSession(service, url, owner),
    asAdmin: await inSession(service, url, admin),
    asMember: await inSession(service, url, member),
    asStranger: await inSession(service, url, stranger),
    asNobody: browse(url),
  }
}
