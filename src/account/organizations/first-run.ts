import type { Account, Member, Project } from '../../store/account.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import { insertEntryLink } from '../auth/entry-link.ts'
import type { AppContext } from '../context.ts'
import { type IssuedKey, newKey } from '../keys/key.ts'
import { newAccount } from './account.ts'
import { newMember } from './member.ts'
import { newProject } from './project.ts'

const FIRST_RUN: Actor = { kind: 'operator', via: 'first run' }

/** `entry` is the token of the owner's sign-in link. */
export type FirstRun = IssuedKey & { account: Account; owner: Member; project: Project; entry: string }

/**
 * Creates an account, its owner, a project `default` and one key. Returns undefined, and creates nothing, if there is
 * an account already.
 */
export async function firstRun(ctx: AppContext): Promise<FirstRun | undefined> {
  // Checked before the write too, so that an instance starts whose database is a standby and takes no write.
  if ((await ctx.store.control.list('accounts', {})).length > 0) return undefined
  const account = newAccount(ctx, { name: 'default', plan: 'self-hosted' })
  const owner = newMember(ctx, { account, email: 'owner@localhost', name: 'Owner', role: 'owner' })
  const project = newProject(ctx, { account, name: 'default' })
  const issued = newKey(ctx, { project, label: 'First key', member: owner })
  return ctx.store.control.write(async (tx) => {
    if ((await tx.list('accounts', {})).length > 0) return undefined
    await tx.insert('accounts', account)
    await tx.insert('members', owner)
    await tx.insert('projects', project)
    await tx.insert('keys', issued.key)
    const [accountId, projectId] = [account.id, project.id]
    const details = { owner: owner.id, key: issued.key.id }
    await recordEvent(ctx, tx, FIRST_RUN, { act: 'account.add', accountId, projectId, target: accountId, details })
    return { account, owner, project, ...issued, entry: await insertEntryLink(ctx, tx, FIRST_RUN, owner) }
  })
}
