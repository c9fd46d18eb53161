import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { INVITATION_PATH, inviteMember, withdrawInvitation } from '../../account/organizations/invitation.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import type { Invitation } from '../../store/sign-in.ts'
import { onAccount, ROLE, readDuration } from '../options.ts'
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
      ...ROLE,
      '--valid <span>': { help: 'how long the link works, at most 30d', default: '7d' },
    },
    act: async (service, account, { email, role, department: ref, valid }) => {
      const department = await findDepartment(service, COMMAND_LINE, account, ref)
      const input = { account, email, role, department, validityMs: readDuration('--valid', valid) }
      const { token, invitation } = await inviteMember(service, COMMAND_LINE, input)
      return { link: `${toBaseUrl(service.config)}${INVITATION_PATH}${token}`, ...toJson(invitation) }
    },
    toText: ({ link, email, expires_at }) =>
      `${link}\n\nSend it to ${email}; it works once, until ${toTableTime(expires_at)} UTC.`,
  },
)

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
