import { type Html, html } from './html.ts'

/** A labelled field. `name` is also its id, so a page has one of each name. */
export type Field = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'date' | 'number'
  value?: string | undefined
  hint?: string | undefined
  required?: boolean
  autocomplete?: string
  maxlength?: number
  /** Values that the browser offers while one is typed; others may be typed as well. */
  suggestions?: string[]
}

/** One line of text to type. */
export function toField(field: Field): Html {
  const { name, label, type = 'text', value = '', hint, required = false, autocomplete = 'off', maxlength, suggestions } = field
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" autocomplete="${autocomplete}"${flag('required', required)}${
    maxlength === undefined ? undefined : html` maxlength="${maxlength}"`
  }${hint === undefined ? undefined : html` aria-describedby="${name}-hint"`}${suggestions && html` list="${name}-list"`}>
${suggestions && html`<datalist id="${name}-list">${suggestions.map((one) => html`<option value="${one}"></option>`)}</datalist>\n`}${
  hint === undefined ? undefined : html`<p class="quiet" id="${name}-hint">${hint}</p>`
}
</div>`
}

/** Several lines of text to type. */
export function toTextArea({ name, label, value = '', hint, required = false }: Field, rows = 6): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="${rows}"${flag('required', required)}${hint === undefined ? undefined : html` aria-describedby="${name}-hint"`}>
${value}</textarea>
${hint === undefined ? undefined : html`<p class="quiet" id="${name}-hint">${hint}</p>`}
</div>`
}

/** One of several to choose. */
export function toSelect(
  { name, label, value = '', hint }: Pick<Field, 'name' | 'label' | 'value' | 'hint'>,
  options: { value: string; label: string }[],
): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}"${hint === undefined ? undefined : html` aria-describedby="${name}-hint"`}>
${options.map((option) => html`<option value="${option.value}"${flag('selected', option.value === value)}>${option.label}</option>\n`)}
</select>
${hint === undefined ? undefined : html`<p class="quiet" id="${name}-hint">${hint}</p>`}
</div>`
}

/** A box to tick. */
export function toCheckbox({ name, label, ticked }: { name: string; label: string; ticked: boolean }): Html {
  return html`<div class="tick"><input id="${name}" name="${name}" type="checkbox" value="yes"${flag('checked', ticked)}><label for="${name}">${label}</label></div>`
}

/** What a button looks like: the main one of a form, an ordinary one, or one that takes something away. */
type Look = 'main' | 'plain' | 'danger'

/** A form that is one button, and posts these fields. `about` tells readers of a screen what the button is for where its label is short. */
export function toButton(
  action: string,
  label: string,
  { fields = {}, look = 'plain', about }: { fields?: Record<string, string>; look?: Look; about?: string } = {},
): Html {
  return html`<form method="post" action="${action}" class="inline">${toHidden(fields)}<button class="${look} small"${
    about === undefined ? undefined : html` aria-label="${label}: ${about}"`
  }>${label}</button></form>`
}

/** A button that is first to be opened, with what it does beside it: for what is not easily taken back. */
export function toConfirmButton(
  action: string,
  label: string,
  says: string,
  { fields = {}, about }: { fields?: Record<string, string>; about: string },
): Html {
  return html`<details class="considered"><summary aria-label="${label}: ${about}">${label} …</summary>
<p>${says}</p>
${toButton(action, label, { fields, look: 'danger', about })}
</details>`
}

/** Fields nobody sees. */
export function toHidden(fields: Record<string, string>): Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

function flag(name: string, on: boolean): Html | undefined {
  return on ? { markup: ` ${name}` } : undefined
}
