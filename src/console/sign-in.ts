import { MAX_NAME_CHARACTERS } from '../account/organizations/names.ts'
import { toField } from './markup/form.ts'
import { type Html, html } from './markup/html.ts'
import { toSentence } from './markup/sentence.ts'
import { toMessages } from './markup/shell.ts'

type FormResult = { error?: string | undefined; done?: string | undefined }

const NEW_PASSWORD = {
  name: 'password',
  label: 'Choose a password',
  type: 'password',
  required: true,
  autocomplete: 'new-password',
  hint: '12 characters or more. A sentence is good.',
} as const

/** The sign-in form. `to` is the path to go to afterwards. */
export function toSignInForm({ email, account, to, ...result }: FormResult & { email: string; account: string; to: string }): Html {
  return html`<h1>Sign in</h1>
${toMessages(result)}
<form method="post" action="/console/sign-in">
<input type="hidden" name="to" value="${to}">
${toField({ name: 'email', label: 'E-mail address', type: 'email', value: email, required: true, autocomplete: 'username' })}
${toField({ name: 'password', label: 'Password', type: 'password', required: true, autocomplete: 'current-password' })}
<details class="field"${account === '' ? undefined : html` open`}><summary>Are you a member of several accounts?</summary>
${toField({ name: 'account', label: 'Account', value: account, maxlength: MAX_NAME_CHARACTERS, hint: 'Its name. Without it you come into the one that you joined first, or used last in this browser.' })}
</details>
<div class="actions"><button class="main">Sign in</button></div>
</form>
<p class="quiet">No password, or forgotten? An owner or admin of your account makes you a link; so does <code>memsvc member link</code> on the server.</p>`
}

/** The form of a sign-in link, where a member chooses a password. */
export function toPasswordForm({ email, action, ...result }: FormResult & { email: string; action: string }): Html {
  return html`<h1>Choose a password</h1>
${toMessages(result)}
<p>For <strong>${email}</strong>. The link works once; sessions begun with an older password end.</p>
<form method="post" action="${action}">
<input type="hidden" name="email" value="${email}" autocomplete="username">
${toField(NEW_PASSWORD)}
<div class="actions"><button class="main">Set it and come in</button></div>
</form>`
}

type JoinForm = FormResult & { email: string; account: string; role: string; name: string; action: string }

/** The form of an invitation, where a new member enters a name and a password. */
export function toJoinForm({ email, account, role, name, action, ...result }: JoinForm): Html {
  return html`<h1>Join ${account}</h1>
${toMessages(result)}
<p>You are invited as <strong>${email}</strong>, ${role === 'member' ? 'a member' : `an ${role}`} of the account.</p>
<form method="post" action="${action}">
<input type="hidden" name="email" value="${email}" autocomplete="username">
${toField({ name: 'name', label: 'Your name', value: name, hint: 'Records you save are signed with it.', required: true, autocomplete: 'name', maxlength: MAX_NAME_CHARACTERS })}
${toField(NEW_PASSWORD)}
<div class="actions"><button class="main">Join</button></div>
</form>`
}

/** The page for a sign-in link or invitation that is unknown, used or expired. */
export function toInvalidLinkPage(reason: string): Html {
  return html`<h1>This link leads nowhere</h1><p>${toSentence(reason)}</p><div class="actions"><a class="button" href="/console">Sign in</a></div>`
}
