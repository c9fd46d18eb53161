import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { SECOND_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { changeIntegration } from '../../gateway/change-integration.ts'
import { readHeader } from '../../gateway/headers.ts'
import type { Integration } from '../../store/integration.ts'
import { pickChanged, readChanged } from '../form.ts'
import { FORM_ID, SHOWN, toField, toOptions, toSelect, toShown } from '../markup/form.ts'
import { type Html, html, inContext } from '../markup/html.ts'
import type { PageRequest } from '../page.ts'
import type { Undoing } from '../response.ts'

/** A request for a page of an integration. */
export type IntegrationRequest = PageRequest & { integration: Integration }

/** Changes the settings that the person changed. */
export async function changeSettings(
  { service, actor, integration }: IntegrationRequest,
  form: URLSearchParams,
): Promise<void> {
  const changed = readChanged(form)
  const field = (name: string) => changed.get(name)?.trim()
  const [mode, timeout, sessions, credential] = ['mode', 'timeout', 'sessions', 'credential'].map(field)
  // A credential is meant for the server that the page named.
  if (credential && (form.get(`${SHOWN}url`) ?? integration.url) !== integration.url)
    throw new Refusal('somebody changed the address since this page was made; open the page again', 'credential')
  await changeIntegration(service, actor, integration, {
    name: field('name'),
    url: field('url'),
    mode: mode === undefined ? undefined : readMode(mode),
    timeoutMs: timeout === undefined ? undefined : Number(timeout || Number.NaN) * SECOND_MS,
    stateful: sessions === undefined ? undefined : sessions === 'key',
    ...(credential && { headers: readHeader(form.get('header')?.trim() ?? '', credential) }),
  })
}

/** Undefined if the credential is given anew, or belongs to the server of another address: the old one is not kept. */
export function toOldSettings({ integration }: IntegrationRequest, form: URLSearchParams): Undoing | undefined {
  const changed = readChanged(form)
  const { url } = integration
  const isElsewhere = URL.parse(changed.get('url') ?? url)?.origin !== new URL(url).origin
  if (isElsewhere || form.get('credential')?.trim()) return undefined
  return { fields: pickChanged(changed, toShownSettings(integration)) }
}

const toShownSettings = ({ name, url, mode, timeoutMs, stateful }: Integration) => ({
  name,
  url,
  mode,
  timeout: String(timeoutMs / SECOND_MS),
  sessions: stateful ? 'key' : 'project',
})

function readMode(text: string): Integration['mode'] {
  if (text === 'read-only' || text === 'read-write') return text
  throw new Refusal('choose a mode', 'mode')
}

export function toSettings(action: string, integration: Integration): Html {
  const shown = toShownSettings(integration)
  return html`<section class="panel"><h2>Settings</h2>
<p class="quiet">Changes apply from the next call on. If you change the address, enter the credential again: the old one is never sent to another server.</p>
<form method="post" action="${action}">${FORM_ID}${toShown(shown)}
${toField({ name: 'name', label: 'Name', value: shown.name, required: true, maxlength: MAX_NAME_CHARACTERS, hint: 'The prefix of its tool titles.' })}
${toField({ name: 'url', label: 'Address', type: 'url', value: shown.url, required: true })}
${toSelect({ name: 'mode', label: 'Mode', value: shown.mode }, toOptions(MODE_LABELS))}
${toField({ name: 'timeout', label: 'Timeout in seconds', type: 'number', value: shown.timeout, required: true, hint: 'In which the server must answer or report progress.' })}
${toSelect({ name: 'sessions', label: 'Sessions', value: shown.sessions }, SESSION_OPTIONS)}
${toCredentialFields(action, 'Leave it empty to keep the present one.')}
<div class="actions"><button class="main">Save</button></div>
</form></section>`
}

export const MODE_LABELS: Record<Integration['mode'], string> = {
  'read-only': 'read-only',
  'read-write': 'read-write: gateway_call can call tools that may write',
}

/** Values of the field `sessions`. */
export const SESSION_OPTIONS = toOptions({
  project: 'one for each project',
  key: 'one for each key, for a server that keeps state, such as an open browser',
})

/**
 * Fields for the name of a header and the credential sent in it. The credential is never written into a page, so it has
 * to be entered again after a refusal of the form, which posts to `action`.
 */
export function toCredentialFields(action: string, note = ''): Html {
  return inContext(({ refused }) => {
    const again = refused?.action !== action ? '' : 'Enter it again: it is not kept in the page.'
    const hint = [
      again,
      note,
      'Stored encrypted and never shown. In Authorization, it is sent as Bearer unless it names another scheme.',
    ]
      .filter((text) => text !== '')
      .join(' ')
    return html`${toField({ name: 'header', label: 'Header for the credential', value: 'Authorization' })}
${toField({ name: 'credential', label: 'Credential', type: 'password', autocomplete: 'new-password', hint })}`
  })
}
