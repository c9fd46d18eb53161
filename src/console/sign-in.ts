import { toField } from './markup/form.ts'
import { type Html, html } from './markup/html.ts'
import { toSentence } from './markup/shell.ts'

type FormResult = { fault?: string | undefined; done?: string | undefined }

/** What every page before the console begins with: a heading, and what went wrong or was done. */
function toHead(heading: string, { fault, done }: FormResult): Html {
  return html`<h1>${heading}</h1>
${done === undefined ? undefined : html`<p class="done" role="status">${done}</p>`}
${fault === undefined ? undefined : html`<p class="alarm" role="alert">${toSentence(fault)}</p>`}`
}

const NEW_PASSWORD = {
  name: 'password',
  label: 'Choose a password',
  type: 'password',
  required: true,
  autocomplete: 'new-password',
} as const
const PASSWORD_HINT = '12 characters or more. A sentence is good.'

/** The form by which people come in. `to` is the page they wanted. */
export function toSignInForm({ email, account, to, ...said }: FormResult & { email: string; account: string; to: string }): Html {
  return html`${toHead('Sign in', said)}
<form method="post" action="/console/sign-in">
<input type="hidden" name="to" value="${to}">
${toField({ name: 'email', label: 'E-mail address', type: 'email', value: email, required: true, autocomplete: 'username' })}
${toField({ name: 'password', label: 'Password', type: 'password', required: true, autocomplete: 'current-password' })}
<details class="field"${account === '' ? undefined : html` open`}><summary>Are you a member of several accounts?</summary>
${toField({ name: 'account', label: 'Account', value: account, maxlength: 100, hint: 'Its name. Without it you come into the one that you joined first, or used last in this browser.' })}
</details>
<div class="actions"><button class="main">Sign in</button></div>
</form>
<p class="quiet">No password, or forgotten? An owner or admin of your account makes you a link; so does <code>memsvc member link</code> on the server.</p>`
}

/** The form behind a link by which a member comes in and chooses a password. */
export function toPasswordForm({ email, action, ...said }: FormResult & { email: string; action: string }): Html {
  return html`${toHead('Choose a password', said)}
<p>For <strong>${email}</strong>. The link works once; sessions begun with an older password end.</p>
<form method="post" action="${action}">
<input type="hidden" name="email" value="${email}" autocomplete="username">
${toField({ ...NEW_PASSWORD, hint: PASSWORD_HINT })}
<div class="actions"><button class="main">Set it and come in</button></div>
</form>`
}

/** The form behind an invitation. */
export function toJoinForm(page: FormResult & { email: string; account: string; role: string; name: string; action: string }): Html {
  const { email, account, role, name, action, ...said } = page
  return html`${toHead(`Join ${account}`, said)}
<p>You are invited as <strong>${email}</strong>, ${role === 'member' ? 'a member' : `an ${role}`} of the account.</p>
<form method="post" action="${action}">
<input type="hidden" name="email" value="${email}" autocomplete="username">
${toField({ name: 'name', label: 'Your name', value: name, hint: 'Records you save are signed with it.', required: true, autocomplete: 'name', maxlength: 100 })}
${toField({ ...NEW_PASSWORD, hint: PASSWORD_HINT })}
<div class="actions"><button class="main">Join</button></div>
</form>`
}

/** What stands behind a link that leads nowhere. */
export function toInvalidLinkPage(reason: string): Html {
  return html`<h1>This link leads nowhere</h1><p>${toSentence(reason)}</p><div class="actions"><a class="button" href="/console">Sign in</a></div>`
}
