import type { Project } from '../store/account.ts'
import { toFold, toNameForm } from './markup/form.ts'
import { toTime } from './markup/format.ts'
import { type Html, html } from './markup/html.ts'
import { toMoreLink } from './markup/paging.ts'
import { toTable } from './markup/table.ts'

type HomePage = {
  projects: Project[]
  more: string | undefined
  manages: boolean
  /** The name in the form that adds a project. */
  name: string
}

/** The projects that the visitor may open, and the form that adds one. */
export function toHome({ projects, more, manages, name }: HomePage): Html {
  const rows = projects.map((project) => [
    html`<a href="/console/projects/${project.id}">${project.name}</a>`,
    html`<code>${project.id}</code>`,
    toTime(project.createdAt),
  ])
  const empty = manages ? 'No projects yet.' : 'No project is open to you yet. An owner or admin of your account opens one to you.'
  return html`<h1>Projects</h1>
${toTable('Projects you may open', [{ label: 'Name' }, { label: 'Id' }, { label: 'Created' }], rows, empty)}
${toMoreLink(more)}
${manages ? toAddForm(name) : undefined}`
}

function toAddForm(name: string): Html {
  const form = html`<p class="quiet">A project keeps its records to itself: no key of another one finds them.</p>
${toNameForm('/console/projects', name, 'Add')}`
  return toFold('Add a project', { actions: ['/console/projects'] }, form)
}
