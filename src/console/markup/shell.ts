import { toDocument } from './document.ts'
import { type Html, html } from './html.ts'

/** What a page of a signed-in person stands in. */
export type Shell = {
  title: string
  /** The path of the page's section, which is marked in the menus. */
  section: string
  person: string
  account: string
  /** Whether the person sees what belongs to the whole account. */
  manages: boolean
  project?: { id: string; name: string } | undefined
  /** What was wrong with what was sent. */
  fault?: string | undefined
  /** What was done. */
  done?: string | undefined
  body: Html
}

type Entry = { path: string; label: string }

/** The menu of the account. */
function accountMenu(manages: boolean): Entry[] {
  const own = [{ path: '/console', label: 'Projects' }]
  if (!manages) return own
  return [
    ...own,
    { path: '/console/people', label: 'People' },
    { path: '/console/integrations', label: 'Integrations' },
    { path: '/console/connections', label: 'Connections' },
    { path: '/console/audit', label: 'Audit' },
    { path: '/console/account', label: 'Account' },
  ]
}

/** The menu of a project. */
function projectMenu(id: string, manages: boolean): Entry[] {
  const at = `/console/projects/${id}`
  const everybody = [
    { path: at, label: 'Records' },
    { path: `${at}/review`, label: 'Review' },
    { path: `${at}/trash`, label: 'Trash' },
    { path: `${at}/guard`, label: 'Guard' },
    { path: `${at}/keys`, label: 'Keys' },
    { path: `${at}/connections`, label: 'Connections' },
  ]
  return manages ? [...everybody, { path: `${at}/settings`, label: 'Settings' }] : everybody
}

/** The page of a signed-in person, with its menus. */
export function toShell({ title, section, person, account, manages, project, fault, done, body }: Shell): string {
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
${done === undefined ? undefined : html`<p class="done" role="status">${done}</p>`}
${fault === undefined ? undefined : html`<p class="alarm" role="alert">${toSentence(fault)}</p>`}
${body}
</main>
</body>`,
  )
}

function toItems(entries: Entry[], section: string): Html[] {
  return entries.map(
    ({ path, label }) => html`<li><a href="${path}"${path === section ? html` aria-current="page"` : undefined}>${label}</a></li>`,
  )
}

/** A refusal as it is written on a page. */
export function toSentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
