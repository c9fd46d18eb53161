import { type Html, html } from './markup/html.ts'

/** A form that was not taken, to be sent once more. */
type Refused = { action: string; fields: [name: string, value: string][]; seconds: number }

/** Fields that no page shows again. */
const SECRETS = ['password', 'old', 'credential']

/** What somebody is told who sends forms too fast: how long to wait, with all they typed to send again. */
export function toTooManyPage({ action, fields, seconds }: Refused): Html {
  const kept = fields.filter(([name]) => !SECRETS.includes(name))
  const hidden = kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`<h1>Wait a moment</h1>
<p class="alarm" role="alert">Too many forms were sent in your name. Nothing was done by this one. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.</p>
<p>What you typed is kept on this page${kept.length < fields.length ? ', but for passwords and credentials' : ''}.</p>
<form method="post" action="${action}">${hidden}
<div class="actions"><button class="main">Send it again</button><a class="button" href="/console">To the projects</a></div>
</form>`
}
