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
import type { Department } from '../../store/account.ts'
import { newFormId } from '../double-submit.ts'
import { atField, typedValue } from '../form.ts'
import type { Page } from '../page.ts'
import { paginate } from '../paging.ts'
import { type FormState, type PageRequest, toBaseUrl, toConsolePage } from '../request.ts'
import { redirect } from '../response.ts'
import { toNewLink } from './new-link.ts'
import { type PeopleForm, toPeople } from './people-sections.ts'

const PATH = '/console/people'

/** The page of members, invitations and departments, for owners and admins. */
export const people: Page = {
  path: PATH,
  show: showPeople,
  forms: {
    '/invitations': { act: invite, isOnce: true },
    '/invitations/withdraw': withdraw,
    '/addresses': decide,
    '/departments': add,
    '/departments/rename': rename,
    '/departments/remove': remove,
  },
}

async function showPeople(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor, actor, url } = req
  const { members, departments, invitations, emailChanges } = await readPeople(service, actor, visitor.account.id)
  const { rows, more } = paginate(url, PATH, members)
  const byDepartment = Map.groupBy(members, ({ departmentId }) => departmentId ?? '')
  const body = toPeople({
    members: rows,
    more,
    counts: new Map([...byDepartment].map(([id, { length }]) => [id, length])),
    invitations,
    emailChanges,
    departments,
    isOwner: visitor.member.role === 'owner',
    now: service.clock.now(),
    form: toForm(state),
    formId: newFormId(req),
  })
  return toConsolePage(req, state, { title: 'People', section: PATH, body })
}

/** Shows the link, which cannot be shown again. */
async function invite(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, visitor, actor } = req
  const role = requireRole(form.get('role') ?? '')
  const email = form.get('email') ?? ''
  const department = await findDepartment(service, actor, visitor.account, form.get('department') || undefined)
  const input = { email, role, department, validityMs: readDays(form) * DAY_MS }
  const { token, invitation } = await inviteMember(service, actor, { account: visitor.account, ...input })
  const link = `${toBaseUrl(req)}${INVITATION_PATH}${token}`
  const body = toNewLink({ heading: 'The invitation', email: invitation.email, link, expiresAt: invitation.expiresAt, at: PATH })
  return toConsolePage(req, {}, { title: 'The invitation', section: PATH, body })
}

async function withdraw(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const email = form.get('address') ?? ''
  await withdrawInvitation(req.service, req.actor, { account: req.visitor.account, email })
  return redirect(PATH, 'invitation.withdrawn')
}

/** Confirms or declines the e-mail address that the page showed. */
async function decide({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  const isConfirmed = form.get('confirmed') === 'yes'
  const [memberId, email] = [form.get('member') ?? '', form.get('address') ?? '']
  await decideEmailChange(service, actor, { accountId: visitor.account.id, memberId, email, isConfirmed })
  return redirect(PATH, isConfirmed ? 'address.confirmed' : 'address.declined')
}

async function add({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  await addDepartment(service, actor, { account: visitor.account, name: form.get('name') ?? '' })
  return redirect(PATH, 'department.added')
}

async function rename(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const department = await atField('which', () => findDepartmentOf(req, form.get('which')))
  await atField('to', () => renameDepartment(req.service, req.actor, { department, name: form.get('to') ?? '' }))
  return redirect(PATH, 'department.renamed')
}

async function remove(req: PageRequest, form: URLSearchParams): Promise<Response> {
  await removeDepartment(req.service, req.actor, await findDepartmentOf(req, form.get('department')))
  return redirect(PATH, 'department.removed')
}

async function findDepartmentOf({ service, visitor, actor }: PageRequest, ref: string | null): Promise<Department> {
  return requireDepartment(service, actor, visitor.account, ref ?? '')
}

function readDays(form: URLSearchParams): number {
  const text = (form.get('days') ?? '').trim()
  if (!/^\d{1,4}$/.test(text)) throw new Refusal('the days a link works must be a whole number', 'days')
  return Number(text)
}

function toForm(state: FormState): PeopleForm {
  return {
    email: typedValue(state, 'email'),
    role: typedValue(state, 'role', 'member'),
    department: typedValue(state, 'department'),
    days: typedValue(state, 'days', '7'),
    name: typedValue(state, 'name'),
    which: typedValue(state, 'which'),
    to: typedValue(state, 'to'),
  }
}
