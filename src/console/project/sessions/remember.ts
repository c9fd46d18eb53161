import type { Session } from '../../../history/read/session.ts'
import { toField, toHiddenFields, toSelect, toTextArea } from '../../markup/form.ts'
import { type Html, html } from '../../markup/html.ts'
import { toQueryPath } from '../../markup/paging.ts'
import { toScopeOptions } from '../records/record-form.ts'

type RememberPage = {
  /** The path of the session. */
  at: string
  session: Session
  numbers: number[]
  /** The source of the new record. */
  sourceId: string
  typed: { content: string; factKey: string; workspace: string; scope: string }
  /** Whether the visitor has a department to share with. */
  hasDepartment: boolean
}

/** The form that makes a record of selected lines. */
export function toRememberForm({ at, session, numbers, sourceId, typed, hasDepartment }: RememberPage): Html {
  const [first = 1] = numbers
  return html`<p class="back"><a href="${toQueryPath(at, { from: String(first) })}#l${first}"><bdi>${session.title ?? session.session_id}</bdi></a></p>
<h1>New record</h1>
<p class="quiet">What you save is found by search, by whom you choose. Keep what will still be true later, in one or a few sentences.</p>
<form method="post" action="${at}/remember" class="panel">
${toHiddenFields(numbers.map((number): [string, string] => ['line', String(number)]))}
${toTextArea({ name: 'content', label: 'Text', value: typed.content, required: true }, 10)}
<div class="grid">
${toField({ name: 'fact_key', label: 'Fact key', value: typed.factKey, maxlength: 128, hint: 'A stable name, where the fact may change. It supersedes what the key says now.' })}
${toField({ name: 'workspace', label: 'Workspace', value: typed.workspace, maxlength: 64 })}
${toSelect({ name: 'scope', label: 'Who finds it', value: typed.scope }, toScopeOptions(hasDepartment))}
</div>
<p class="quiet">Source: <code>${sourceId}</code></p>
<div class="actions"><button class="main">Save</button><a class="button" href="${toQueryPath(at, { from: String(first) })}#l${first}">Cancel</a></div>
</form>`
}
