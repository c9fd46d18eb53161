import { toField } from '../../markup/form.ts'
import { type Html, html } from '../../markup/html.ts'

type ConfirmationPage = {
  /** The path of the list of sessions. */
  at: string
  /** Whether somebody else made the link by which the visitor's password was set. */
  isWithheld: boolean
}

/** What is shown in the place of the visitor's sessions until their sign-in is confirmed. */
export function toConfirmation({ at, isWithheld }: ConfirmationPage): Html {
  return html`<h1>Sessions</h1>
<p class="quiet">Sessions were uploaded in your name. They are shown once it is certain that this sign-in is yours and nobody else's.</p>
${isWithheld ? html`<p class="notice">Your password was set by a link that somebody else made, who may know it. <a href="/console/me">Choose another one</a> first.</p>` : undefined}
<form method="post" action="${at}/confirm" class="panel">
<h2>Confirm this sign-in</h2>
<p>On a machine that uploads your sessions, run:</p>
<pre class="paste">memsvc sync console</pre>
${toField({ name: 'code', label: 'The code that it prints', value: '', required: true, maxlength: 40 })}
<div class="actions"><button class="main">Confirm</button></div>
</form>`
}
