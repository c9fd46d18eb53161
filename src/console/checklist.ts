import { isOperatingMember } from '../account/auth/authorize.ts'
import { findLastBackup } from '../maintenance/back-up-in-folder.ts'
import { isPutAway, withPutAway } from './browser.ts'
import { toButton } from './markup/form.ts'
import { type Html, html } from './markup/html.ts'
import { toBadge } from './markup/table.ts'
import { BACKUPS_PATH } from './operator/backups.ts'
import type { Answer, PageRequest } from './page.ts'
import { redirect } from './response.ts'

const PEOPLE = '/console/people'

/** A step of an owner's first days, and the page where it is done. */
type Step = { label: string; path: string; isDone: boolean }

/** What a new account still lacks, for its owners, until all of it is done or they put it away in this browser. */
export async function toChecklist(req: PageRequest): Promise<Html | undefined> {
  if (req.visitor.member.role !== 'owner' || isPutAway(req.service.config, req.request)) return undefined
  const steps = await readSteps(req)
  if (steps.every(({ isDone }) => isDone)) return undefined
  return html`<section class="panel"><h2>First steps</h2>
<ul class="checklist">${steps.map(toItem)}</ul>
${toButton('/console/checklist', 'Hide this list')}
</section>`
}

function toItem({ label, path, isDone }: Step): Html {
  const state = isDone ? toBadge('done', 'good') : toBadge('to do', 'warn')
  return html`<li>${state} ${isDone ? label : html`<a href="${path}">${label}</a>`}</li>\n`
}

async function readSteps({ service, visitor }: PageRequest): Promise<Step[]> {
  const { control } = service.store
  const { member, account } = visitor
  const members = await control.list('members', { accountId: account.id, removedAt: null })
  const owners = members.filter(({ role }) => role === 'owner')
  const isInvited = (await control.count('invitations', { accountId: account.id })) > 0
  const keepsBackups = service.config.databaseUrl === undefined && (await isOperatingMember(control, visitor))
  const backup = { label: 'Make a backup', path: BACKUPS_PATH, isDone: findLastBackup(service) !== undefined }
  return [
    { label: 'Enter your e-mail address', path: '/console/me', isDone: !member.email.endsWith('@localhost') },
    { label: 'Invite a colleague', path: PEOPLE, isDone: members.length > 1 || isInvited },
    ...(keepsBackups ? [backup] : []),
    { label: 'Add a second owner', path: PEOPLE, isDone: owners.length > 1 },
  ]
}

export async function putAwayChecklist({ service, request }: PageRequest): Promise<Answer> {
  return redirect('/console', undefined, { headers: { 'Set-Cookie': withPutAway(service.config, request) } })
}
