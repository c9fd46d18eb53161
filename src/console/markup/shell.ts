import { toDocument } from './document.ts'
import { type Html, html } from './html.ts'

/** What is shown around and above the content of a page for a signed-in member. */
export type Shell = {
  title: string
  /** The path of the menu entry to mark as the current page. */
  section: string
  person: string
  account: string
  /** Whether to show the menu entries for owners and admins. */
  manages: boolean
  project?: { id: string; name: string } | undefined
  /** Why the form that this page answers was refused. */
  error?: string | undefined
  /** A sentence about the action that led to this page. */
  done?: string | undefined
  body: Html
}

type MenuEntry = { path: string; label: string }

function accountMenu(manages: boolean): MenuEntry[] {
  const forAll = [{ path: '/console', label: 'Projects' }]
  if (!manages) return forAll
  return [
    ...forAll,
    { path: '/console/people', label: 'People' },
    { path: '/console/integrations', label: 'Integrations' },
    { path: '/console/connections', label: 'Connections' },
    { path: '/console/audit', label: 'Audit' },
    { path: '/console/account', label: 'Account' },
  ]
}

function projectMenu(id: string, manages: boolean): MenuEntry[] {
  const at = `/console/projects/${id}`
  const forAll = [
    { path: at, label: 'Records' },
    { path: `${at}/review`, label: 'Review' },
    { path: `${at}/trash`, label: 'Trash' },
    { path: `${at}/guard`, label: 'Guard' },
    { path: `${at}/keys`, label: 'Keys' },
    { path: `${at}/connections`, label: 'Connections' },
  ]
  return manages ? [...forAll, { path: `${at}/settings`, label: 'Settings' }] : forAll
}

/** A document for a signed-in member: the menus, a message about the last action or error, and the content. */
export function toShell({ title, section, person, account, manages, project, error, done, body }: Shell): string {
  return toDocument(
    project === undefined ? title : `${title} · ${project.name}`,
    html`<body class="console">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/console">memsvc</a>
<nav aria-label="Account"><ul>${toItems(accountMenu(manages), project === undefined ? section : '/console')}</ul></nav>
<div class="person">
<a href="/console/me"${section === '/console/me' ? html` aria-current="page"` : undefined}>${person}<small>${account}</small></a>
<form method="post" action="/console/sign-out"><button class="plain small">Sign out</button></form>
</div>
</header>
${
  project === undefined
    ? undefined
    : html`<nav class="tabs" aria-label="Project ${project.name}"><strong>${project.name}</strong><ul>${toItems(projectMenu(project.id, manages), section)}</ul></nav>`
}
<main id="content">
${toMessages({ done, error })}
${body}
</main>
</body>`,
  )
}

/** What was done, and why a form was refused, each where there is one. */
export function toMessages({ done, error }: { done?: string | undefined; error?: string | undefined }): Html {
  return html`${done === undefined ? undefined : html`<p class="done" role="status">${done}</p>`}
${error === undefined ? undefined : html`<p class="alarm" role="alert">${toSentence(error)}</p>`}`
}

function toItems(entries: MenuEntry[], section: string): Html[] {
  return entries.map(
    ({ path, label }) => html`<li><a href="${path}"${path === section ? html` aria-current="page"` : undefined}>${label}</a></li>`,
  )
}

/** An error message as a sentence: with a capital letter and a full stop. */
export function toSentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
