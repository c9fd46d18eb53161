import {
  addDepartment,
  findDepartment,
  removeDepartment,
  renameDepartment,
  requireDepartment,
} from '../../account/organizations/department.ts'
import { INVITATION_PATH, inviteMember, withdrawInvitation } from '../../account/organizations/invitation.ts'
import { requireRole } from '../../account/organizations/names.ts'
import { readPeople } from '../../account/organizations/people.ts'
import { decideEmailChange } from '../../account/organizations/profile.ts'
import { DAY_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { Department, Member } from '../../store/account.ts'
import { atField } from '../form.ts'
import { toTime } from '../markup/format.ts'
import { html } from '../markup/html.ts'
import { long, toTable } from '../markup/table.ts'
import { type Answer, done, type Page, type PageContent, type PageRequest, toBaseUrl } from '../page.ts'
import { paginate, toPageLink } from '../paging.ts'
import {
  type People,
  ROLE_COLUMNS,
  toDepartment,
  toDepartments,
  toEmailRequests,
  toInvitations,
  toNewLink,
} from './people-sections.ts'

/** The page of members, invitations and departments, for owners and admins. */
export const people: Page = {
  path: '/console/people',
  show: showPeople,
  forms: {
    '/invitations': { act: invite, isOnce: true },
    '/invitations/withdraw': done('invitation.withdrawn', ({ service, visitor, actor }, form) =>
      withdrawInvitation(service, actor, { account: visitor.account, email: form.get('address') ?? '' }),
    ),
    '/addresses': decide,
    '/departments': done('department.added', ({ service, visitor, actor }, form) =>
      addDepartment(service, actor, { account: visitor.account, name: form.get('name') ?? '' }),
    ),
    '/departments/rename': done('department.renamed', rename),
    '/departments/remove': done('department.removed', async (req, form) =>
      removeDepartment(req.service, req.actor, await findDepartmentOf(req, form.get('department'))),
    ),
  },
}

/** Shows the link, which cannot be shown again. */
async function invite(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { service, visitor, actor, at } = req
  const role = requireRole(form.get('role') ?? '')
  const email = form.get('email') ?? ''
  const department = await findDepartment(service, actor, visitor.account, form.get('department') || undefined)
  const input = { email, role, department, validityMs: readDays(form) * DAY_MS }
  const { token, invitation } = await inviteMember(service, actor, { account: visitor.account, ...input })
  return toNewLink('The invitation', { ...invitation, link: `${toBaseUrl(req)}${INVITATION_PATH}${token}`, at })
}

/** Confirms or declines the e-mail address that the page showed. */
async function decide({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Answer> {
  const isConfirmed = form.get('confirmed') === 'yes'
  const [memberId, email] = [form.get('member') ?? '', form.get('address') ?? '']
  await decideEmailChange(service, actor, { accountId: visitor.account.id, memberId, email, isConfirmed })
  return isConfirmed ? 'address.confirmed' : 'address.declined'
}

async function rename(req: PageRequest, form: URLSearchParams): Promise<void> {
  const department = await atField('which', () => findDepartmentOf(req, form.get('which')))
  await atField('to', () => renameDepartment(req.service, req.actor, { department, name: form.get('to') ?? '' }))
}

async function findDepartmentOf({ service, visitor, actor }: PageRequest, ref: string | null): Promise<Department> {
  return requireDepartment(service, actor, visitor.account, ref ?? '')
}

function readDays(form: URLSearchParams): number {
  const text = (form.get('days') ?? '').trim()
  if (!/^\d{1,4}$/.test(text)) throw new Refusal('the days a link works must be a whole number', 'days')
  return Number(text)
}

/** The members, invitations and departments of an account. */
async function showPeople(req: PageRequest): Promise<PageContent> {
  const { service, visitor, actor, at } = req
  const found = await readPeople(service, actor, visitor.account.id)
  const { rows, more } = paginate(req, found.members)
  const page: People = { ...found, at, isOwner: visitor.member.role === 'owner', now: service.clock.now() }
  const columns = [long('Name'), long('E-mail'), ...ROLE_COLUMNS, 'Since']
  const toRow = ({ id, name, email, role, departmentId, createdAt }: Member) => [
    html`<a href="${at}/${id}"><bdi>${name}</bdi></a>`,
    html`<bdi>${email}</bdi>`,
    role,
    toDepartment(found.departments, departmentId),
    toTime(createdAt),
  ]
  const body = html`<h1>People</h1>
${toTable('Members of the account', columns, rows.map(toRow), 'No members.')}
${toPageLink(more, 'More')}
${toEmailRequests(page)}
${toInvitations(page)}
${toDepartments(page)}`
  return { title: 'People', body }
}
