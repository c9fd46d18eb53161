import type { Integration } from '../../store/integration.ts'
import { toField, toSelect } from '../markup/form.ts'
import { type Html, html } from '../markup/html.ts'
import { toMoreLink } from '../markup/paging.ts'
import { type Column, toTable } from '../markup/table.ts'

const PATH = '/console/integrations'

/** What a form about an integration said; never its credential. */
export type IntegrationForm = { preset: string; slug: string; name: string; url: string; mode: string; header: string }

type IntegrationsPage = {
  integrations: { integration: Integration; projects: number }[]
  more: string | undefined
  presets: string[]
  wish: IntegrationForm
}

const COLUMNS: Column[] = [
  { label: 'Slug', look: 'short' },
  { label: 'Name' },
  { label: 'Mode', look: 'short' },
  { label: 'URL' },
  { label: 'Projects', look: 'number' },
  { label: 'Tools', look: 'number' },
]
const MODES = [
  { value: 'read-only', label: 'read-only' },
  { value: 'read-write', label: 'read-write: gateway_call reaches tools that may write' },
]

/** The servers an account connects, and the form that adds one. */
export function toIntegrations({ integrations, more, presets, wish }: IntegrationsPage): Html {
  const rows = integrations.map(({ integration: { slug, name, mode, url, tools }, projects }) => [
    html`<a href="${PATH}/${slug}">${slug}</a>`,
    html`<bdi>${name}</bdi>`,
    html`${mode}`,
    html`${url}`,
    html`${projects}`,
    html`${tools === null ? 'all' : tools.length}`,
  ])
  return html`<h1>Integrations</h1>
<p>Other MCP servers, whose tools this account’s projects reach with the same keys. Open one to test it, enable it for projects or remove it.</p>
${toTable('Integrations of the account', COLUMNS, rows, 'No integrations yet.')}
${toMoreLink(more)}
<section class="panel"><h2>Add an integration</h2>
<form method="post" action="${PATH}">
${toSelect({ name: 'preset', label: 'Preset', value: wish.preset, hint: 'Fills in what is left empty below.' }, [
  { value: '', label: 'none' },
  ...presets.map((name) => ({ value: name, label: name })),
])}
${toField({ name: 'slug', label: 'Slug', value: wish.slug, required: true, maxlength: 31, hint: 'Begins the names of its tools: 2 to 31 small letters, digits and hyphens, a letter first.' })}
${toField({ name: 'name', label: 'Name', value: wish.name, maxlength: 100, hint: 'Begins the titles of its tools.' })}
${toField({ name: 'url', label: 'URL', type: 'url', value: wish.url, hint: 'Where it answers, over Streamable HTTP or SSE. Only needed without a preset.' })}
${toSelect({ name: 'mode', label: 'Mode', value: wish.mode }, MODES)}
${toCredentialFields(wish.header)}
<div class="actions"><button class="main">Add</button></div>
</form></section>`
}

/** The header that holds a credential, and the credential, which no page shows. */
export function toCredentialFields(header: string, required = false): Html {
  return html`${toField({ name: 'header', label: 'Header of the credential', value: header, required })}
${toField({ name: 'credential', label: 'Credential', type: 'password', required, autocomplete: 'new-password', hint: 'Kept encrypted and never shown. An Authorization without a scheme is sent as Bearer.' })}`
}
