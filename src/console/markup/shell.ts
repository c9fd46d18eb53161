import { toDocument } from './document.ts'
import { toSentence } from './format.ts'
import { type Html, html, type RenderContext } from './html.ts'
import { JUMP_PATH, toJumpDialog } from './jump.ts'

/** A project in the menus. */
type MenuProject = { id: string; name: string }

/** What surrounds the content of a page for a signed-in member. */
type Shell = {
  title: string
  /** The path of the current menu entry. */
  section: string
  person: string
  account: string
  /** Whether to show the menu entries for owners and admins. */
  manages: boolean
  /** Whether to show the menu entries for the operator. */
  operates: boolean
  /** The page's project. */
  project?: MenuProject | undefined
  /** The project whose menu is shown. */
  menuProject: MenuProject | undefined
  /** The first projects that the visitor may open, by name, and the number of all. */
  projects: { first: MenuProject[]; count: number }
  /** The number of what waits in the project for review, as displayed; empty for nothing. */
  waiting?: string | undefined
  /** A message about the action that led to this page, and a form that undoes it. */
  done?: { text: string; undo?: Html | undefined } | undefined
  context: RenderContext
  body: Html
}

/** A document for a signed-in member: menus, a message about the last action or error, and the content. */
export function toShell(shell: Shell): string {
  const { title, project, done, context, body } = shell
  return toDocument({
    title: project === undefined ? title : `${title} · ${project.name}`,
    isScripted: true,
    context,
    body: html`<body class="console">
<a class="skip" href="#main">Skip to the content</a>
${toSidebar(shell)}
<main id="main">
<div id="messages" aria-live="polite">${toMessages({ done: done?.text, undo: done?.undo, error: context.refused?.error })}</div>
${body}
</main>
${shell.section === JUMP_PATH ? undefined : toJumpDialog(shell.section, project !== undefined || shell.projects.count === 1)}
</body>`,
  })
}

function toSidebar(shell: Shell): Html {
  const { section, person, account, manages, operates, menuProject: project, projects, waiting } = shell
  return html`<header class="side${project === undefined ? '' : ' within'}">
<a class="brand" href="/console" aria-label="memsvc: all projects">memsvc</a>
${toSwitcher(project, projects)}
<a class="jump" href="${JUMP_PATH}"><span>Jump<span class="wide"> to …</span></span><kbd>Ctrl K</kbd></a>
${project && toMenu('project', `Project ${project.name}`, projectMenu(`/console/projects/${project.id}`, manages, waiting), section)}
${toMenu('account', 'Account', accountMenu(manages, operates), section)}
<div class="person">
<a href="/console/me"${toCurrent('/console/me', section)}><bdi>${person}</bdi><small>${account}</small></a>
<form method="post" action="/console/sign-out"><button class="plain small">Sign out</button></form>
</div>
</header>`
}

/** A menu of projects, behind the name of the current one. */
function toSwitcher(project: MenuProject | undefined, { first, count }: Shell['projects']): Html | undefined {
  if (count === 0) return undefined
  const items = first.map(
    ({ id, name }) =>
      html`<li><a href="/console/projects/${id}"${id === project?.id ? html` aria-current="true"` : undefined}><bdi>${name}</bdi></a></li>\n`,
  )
  return html`<details class="switcher"><summary><span class="hidden">Project:</span> ${project === undefined ? html`<span class="wide">Choose a project</span><span class="narrow">Projects</span>` : html`<bdi>${project.name}</bdi>`}</summary>
<ul>${items}<li><a href="/console">${count > first.length ? `All ${count} projects` : 'All projects'}</a></li></ul></details>`
}

function toMenu(look: string, label: string, entries: MenuEntry[], section: string): Html {
  const items = entries.map(
    ({ path, label, count }) =>
      html`<li><a href="${path}"${toCurrent(path, section)}>${label}${count === undefined ? undefined : html` <span class="count" id="waiting"${count === '' ? html` hidden` : undefined}><span>${count}</span><span class="hidden"> waiting</span></span>`}</a></li>`,
  )
  return html`<nav class="${look}" aria-label="${label}"><span class="group" aria-hidden="true">${label}</span><ul>${items}</ul></nav>`
}

function toCurrent(path: string, section: string): Html | undefined {
  return path === section ? html` aria-current="page"` : undefined
}

type Messages = { done?: string | undefined; undo?: Html | undefined; error?: string | undefined }

/** The message about an action with its undo button, and the error of a refused form, if any. */
export function toMessages({ done, undo, error }: Messages): Html {
  return html`${done === undefined ? undefined : html`<div class="done" role="status">${done}${undo}</div>`}
${error === undefined ? undefined : html`<p class="alarm" role="alert">${toSentence(error)}</p>`}`
}

/** An entry of a menu; `count` is the number of waiting items, empty for none. */
type MenuEntry = { path: string; label: string; count?: string | undefined }

/** The pages of the account: all but the first are for owners and admins, and the last two for the operator. */
export function accountMenu(manages: boolean, operates: boolean): MenuEntry[] {
  const forManagers = [
    { path: '/console/people', label: 'People' },
    { path: '/console/integrations', label: 'Integrations' },
    { path: '/console/connections', label: 'All connections' },
    { path: '/console/audit', label: 'Audit' },
    { path: '/console/account', label: 'Plan and rules' },
  ]
  const forOperators = [
    { path: '/console/operator', label: 'Operator' },
    { path: '/console/backups', label: 'Backups' },
  ]
  return [{ path: '/console', label: 'Projects' }, ...(manages ? forManagers : []), ...(operates ? forOperators : [])]
}

/** The pages of a project, whose path is `at`. The settings are for owners and admins. */
export function projectMenu(at: string, manages: boolean, waiting?: string): MenuEntry[] {
  const forAll = [
    { path: `${at}/overview`, label: 'Overview' },
    { path: `${at}/records`, label: 'Records' },
    { path: `${at}/review`, label: 'Review', count: waiting ?? '' },
    { path: `${at}/sources`, label: 'Sources' },
    { path: `${at}/sessions`, label: 'Sessions' },
    { path: `${at}/trash`, label: 'Trash' },
    { path: `${at}/guard`, label: 'Guard' },
    { path: `${at}/calls`, label: 'Calls' },
    { path: `${at}/keys`, label: 'Keys' },
    { path: `${at}/connections`, label: 'Connections' },
  ]
  return manages ? [...forAll, { path: `${at}/settings`, label: 'Settings' }] : forAll
}
