import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { INVITATION_PATH, inviteMember, withdrawInvitation } from '../../account/organizations/invitation.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import { toLoopbackNote } from '../../loopback.ts'
import type { Service } from '../../service.ts'
import type { Account, Project } from '../../store/account.ts'
import type { Invitation } from '../../store/sign-in.ts'
import { findProject, onAccount, ROLE, readDuration } from '../service-command.ts'
import { toBaseUrl } from '../settings.ts'
import { toListing, toTableTime } from '../terminal/text.ts'

export const inviteCommand = onAccount(
  'invite',
  'invite a person: print a link that works once; it is not shown again',
  {
    options: {
      '--email <address>': {
        help: 'their e-mail address; a new link for it replaces the one before',
        isRequired: true,
      },
      '--department <department>': 'name or id',
      '--project <project>': 'name or id of the project that it opens to them; the only one if left out',
      ...ROLE,
      '--valid <span>': { help: 'how long the link works, at most 30d', default: '7d' },
    },
    act: async (service, account, { email, role, department: ref, project, valid }) => {
      const department = await findDepartment(service, COMMAND_LINE, account, ref)
      const projects = await toOpened(service, account, project)
      const input = { account, email, role, department, projects, validityMs: readDuration('--valid', valid) }
      const { token, invitation } = await inviteMember(service, COMMAND_LINE, input)
      const link = `${toBaseUrl(service.config)}${INVITATION_PATH}${token}`
      return { link, ...toJson(invitation), projects: projects.map(({ name }) => name) }
    },
    toText: ({ link, email, expires_at, projects: [project] }) =>
      [
        link,
        '',
        `Send it to ${email}; it works once, until ${toTableTime(expires_at)} UTC.`,
        project === undefined
          ? "It opens no project: an owner or admin does under People in the console, or '--project' names one."
          : `It opens the project '${project}' to them.`,
        toLoopbackNote(link),
      ]
        .filter((line) => line !== undefined)
        .join('\n'),
  },
)

/** The project that an invitation opens: the one that is named, or the only one of the account. */
async function toOpened(service: Service, account: Account, project: string | undefined): Promise<Project[]> {
  if (project !== undefined) return [await findProject(service, { project, account: account.id })]
  const projects = await service.store.control.list('projects', { accountId: account.id, removedAt: null })
  return projects.length === 1 ? projects : []
}

export const invitationsCommand = onAccount('invitations', 'list open invitations, without their links', {
  act: async ({ store }, { id: accountId }) => (await store.control.list('invitations', { accountId })).map(toJson),
  toText: (invitations) =>
    toListing(
      invitations,
      { 'E-MAIL': 'email', ROLE: 'role', CREATED: 'created_at', EXPIRES: 'expires_at' },
      'no invitations',
    ),
})

export const uninviteCommand = onAccount('uninvite', 'withdraw an invitation: its link stops working', {
  arguments: { '<email>': '' },
  act: async (service, account, _options, email = '') => {
    await withdrawInvitation(service, COMMAND_LINE, { account, email })
    return { email, withdrawn: true }
  },
  toText: ({ email }) => `withdrew the invitation of ${email}`,
})

function toJson({ id, email, role, accountId, createdAt, expiresAt }: Invitation) {
  return {
    id,
    email,
    role,
    account_id: accountId,
    created_at: toIsoTimeOrNull(createdAt),
    expires_at: toIsoTimeOrNull(expiresAt),
  }
}
