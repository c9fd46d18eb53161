import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { toSentence } from './format.ts'
import { type Html, html, inContext } from './html.ts'

/** A labelled form control. Its element id is `id`, by default its `name`, so each must be unique on a page. */
export type Field = {
  name: string
  id?: string
  label: string
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'date' | 'number' | 'file'
  value?: string | undefined
  hint?: string | undefined
  required?: boolean
  autocomplete?: string
  maxlength?: number
  /** Values that the browser offers for completion; any other may be typed. */
  suggestions?: string[]
}

/** A value of a `select` element, and its label. */
export type Option = { value: string; label: string }

/** The options of a `select` element, in the order of `labels`: a text for each value of a domain type. */
export function toOptions(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}

/** Markup with the value of a field: what was typed in a refused form, otherwise `value`. */
function withTyped(name: string, value: string, write: (value: string) => Html): Html {
  return inContext(({ refused }) => write(refused?.fields?.get(name) ?? value))
}

/**
 * An `input` element with its label and hint, and what was typed if the form was refused. The value of a password is
 * never written into the page.
 */
export function toField(field: Field): Html {
  const isKept = field.type !== 'password' && field.type !== 'file'
  return withTyped(field.name, field.value ?? '', (value) => toInput({ ...field, value: isKept ? value : '' }))
}

function toInput(field: Field): Html {
  const { name, id = name, type = 'text', value, hint, required = false, autocomplete = 'off' } = field
  const { maxlength, suggestions } = field
  return toLabelled(
    field,
    html`<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${toFlag('required', required)}${
      maxlength === undefined ? undefined : html` maxlength="${maxlength}"`
    }${toDescription(name, hint)}${suggestions && html` list="${name}-list"`}>${
      suggestions &&
      html`\n<datalist id="${name}-list">${suggestions.map((one) => html`<option value="${one}"></option>`)}</datalist>`
    }`,
  )
}

/** A control with its label, its hint and, if it was refused, the reason. */
function toLabelled(
  { name, id = name, label, hint }: Pick<Field, 'name' | 'id' | 'label' | 'hint'>,
  control: Html,
): Html {
  return html`<div class="field">
<label for="${id}">${label}</label>
${control}
${toNotes(name, hint)}
</div>`
}

const MAX_ROWS = 20

/** A `textarea` element with its label and hint, with as many rows as its text has lines, within bounds. */
export function toTextArea(field: Field, { rows = 6, isFitted = false } = {}): Html {
  const { name, value = '', hint, required = false } = field
  return withTyped(name, value, (text) => {
    const fitted = isFitted ? Math.max(rows, Math.min(MAX_ROWS, text.split('\n').length + 1)) : rows
    return toLabelled(
      field,
      html`<textarea id="${name}" name="${name}" rows="${fitted}"${toFlag('required', required)}${toDescription(name, hint)}>
${text}</textarea>`,
    )
  })
}

/** A `select` element with its label and hint. */
export function toSelect(field: Pick<Field, 'name' | 'label' | 'value' | 'hint'>, options: Option[]): Html {
  const { name, value = '', hint } = field
  const toItem = ({ value, label }: Option, chosen: string) =>
    html`<option value="${value}"${toFlag('selected', value === chosen)}>${label}</option>\n`
  return withTyped(name, value, (chosen) =>
    toLabelled(
      field,
      html`<select id="${name}" name="${name}"${toDescription(name, hint)}>
${options.map((option) => toItem(option, chosen))}
</select>`,
    ),
  )
}

/** The hint of a field and, if the field was refused, the reason. */
export function toNotes(name: string, hint?: string | Html): Html {
  return inContext(
    ({ refused }) =>
      html`${refused?.field === name && !refused.isFilter ? html`<p class="fault" id="${name}-fault">${toSentence(refused.error)}</p>` : undefined}${
        hint === undefined ? undefined : html`<p class="quiet" id="${name}-hint">${hint}</p>`
      }`,
  )
}

/** The attributes that link a field to its notes. A refused field gets the focus. */
export function toDescription(name: string, hint?: string | Html): Html {
  return inContext(({ refused }) => {
    const isAtFault = refused?.field === name
    const fault = refused?.isFilter ? 'messages' : `${name}-fault`
    const ids = [isAtFault ? fault : '', hint === undefined ? '' : `${name}-hint`].filter((id) => id !== '').join(' ')
    return html`${ids === '' ? undefined : html` aria-describedby="${ids}"`}${isAtFault ? html` aria-invalid="true" autofocus` : undefined}`
  })
}

/** The attribute of a box that was ticked in a refused form, and stays so. */
export function toTicked(name: string, value: string): Html {
  return inContext(({ refused }) => html`${toFlag('checked', refused?.fields?.has(name, value) ?? false)}`)
}

/** The hidden field by which a form of a page is known when it is sent twice. */
export const FORM_ID = inContext(({ formId = '' }) => html`<input type="hidden" name="form" value="${formId}">`)

/** Hidden `input` elements. */
export function toHiddenFields(fields: Record<string, string> | [name: string, value: string][]): Html[] {
  const entries = Array.isArray(fields) ? fields : Object.entries(fields)
  return entries.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

/** Stands before the name of a field, in the name of the hidden one with the value that the page showed in it. */
export const SHOWN = 'was.'

/**
 * Hidden fields with the values that the fields of a form show, by which `readChanged` finds what the person changed. A
 * refused form keeps those that it was made with.
 */
export function toShown(values: Record<string, string>): Html[] {
  return Object.entries(values).map(([name, value]) =>
    withTyped(SHOWN + name, value, (shown) => html`${toHiddenFields({ [SHOWN + name]: shown })}`),
  )
}

/** An attribute without a value. */
export function toFlag(name: string, isSet: boolean): Html | undefined {
  return isSet ? html` ${name}` : undefined
}

/** The look of a button: `main` is the primary action of a form, `danger` removes or revokes something. */
export type ButtonLook = 'main' | 'plain' | 'danger'

type ButtonOptions = {
  /** Hidden fields that it posts. */
  fields?: Record<string, string>
  look?: ButtonLook
  /** The object of the action, for screen readers, if several buttons have the same label. */
  about?: string
  /** The keyboard key that presses the button of the focused item, printed on it. */
  key?: string
}

/** A form that consists of one button. */
export function toButton(action: string, label: string, options: ButtonOptions = {}): Html {
  const { fields = {}, look = 'plain', about, key } = options
  return html`<form method="post" action="${action}" class="inline">${FORM_ID}${toHiddenFields(fields)}<button class="${look} small"${
    about === undefined ? undefined : html` aria-label="${label}: ${about}"`
  }${key && html` data-key="${key}" aria-keyshortcuts="${key}"`}>${label}</button></form>`
}

type ConfirmOptions = { fields?: Record<string, string>; about: string }

/** A button in two steps: the first click shows the effect, and the button that confirms it. */
export function toConfirmButton(
  action: string,
  label: string,
  effect: string,
  { fields = {}, about }: ConfirmOptions,
): Html {
  return html`<details class="confirm"><summary aria-label="${label}: ${about}">${label} …</summary>
<p>${effect}</p>
${toButton(action, label, { fields, look: 'danger', about })}
</details>`
}

/** A removal confirmed by typing the name, posted as `typed`. */
export function toTypedRemoval(action: string, name: string, label: string): Html {
  return html`<form method="post" action="${action}" class="line">${FORM_ID}
${toField({ name: 'typed', label: `Type “${name}” to confirm`, required: true })}
<button class="danger">${label}</button>
</form>`
}

/** A one-line form that posts a name as `name`. */
export function toNameForm(action: string, value: string, label: string): Html {
  return html`<form method="post" action="${action}" class="line">${FORM_ID}
${toField({ name: 'name', label: 'Name', value, required: true, maxlength: MAX_NAME_CHARACTERS })}
<button class="main">${label}</button>
</form>`
}
