/** The form of a page: where it posts to, and the fields it carries unseen. */
type Form = { action: string; fields: Record<string, string> }

export const CALLBACK = 'https://assistant.example/callback'

/** A verifier of the form of RFC 7636, and its S256 challenge. */
export function makePkce() {
  const verifier = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })
  const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
  return { verifier, challenge }
}

/** Reads the only form of a page, as a browser without scripts would. */
export async function readPageForm(page: string): Promise<Form> {
  const form: Form = { action: '', fields: {} }
  const reader = new HTMLRewriter()
    .on('form', { element: (element) => void Object.assign(form, { action: element.getAttribute('action') }) })
    .on('input[type=hidden]', {
      element: (element) => {
        form.fields[decode(element.getAttribute('name'))] = decode(element.getAttribute('value'))
      },
    })
  await reader.transform(new Response(page)).text()
  return form
}

function decode(text: string | null): string {
  return (text ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** What an application and a person do to connect, step by step, against the service at `url`. */
export function connectTo(url: string) {
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

  async function register(metadata: Record<string, unknown> = {}, from: Record<string, string> = {}) {
    const body = JSON.stringify({
      client_name: 'Assistant',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      ...metadata,
    })
    const response = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...from },
    })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown> & { client_id: string },
    }
  }

  /** The address a person's browser is sent to; a parameter that is undefined is left out. */
  function toAuthorizeUrl(parameters: Record<string, string | undefined>): string {
    const given = {
      response_type: 'code',
      redirect_uri: CALLBACK,
      code_challenge_method: 'S256',
      state: 'xyz',
      ...parameters,
    }
    const kept = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return `${url}/oauth/authorize?${new URLSearchParams(kept)}`
  }

  const visit = (parameters: Record<string, string | undefined>) =>
    fetch(toAuthorizeUrl(parameters), { redirect: 'manual' })

  /** Enters the key on the page and gives the page that comes next. */
  async function enter(page: Response | string, key: string): Promise<Response> {
    const { action, fields } = await readPageForm(typeof page === 'string' ? page : await page.text())
    return post(action, { ...fields, key })
  }

  /** Answers the question on the page and gives where the person is sent. */
  async function decide(page: Response | string, answer: 'allow' | 'deny'): Promise<URL> {
    const { action, fields } = await readPageForm(typeof page === 'string' ? page : await page.text())
    const response = await post(action, { ...fields, answer })
    const location = response.headers.get('location')
    if (location === null) throw new Error(`not sent on: ${response.status} ${await response.text()}`)
    return new URL(location)
  }

  /** What a person does with the address an application opens in their browser: enters the key and allows. */
  async function allow(address: string | URL, key: string): Promise<URL> {
    return decide(await enter(await fetch(address, { redirect: 'manual' }), key), 'allow')
  }

  async function redeem(fields: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await post(
      '/oauth/token',
      { grant_type: 'authorization_code', redirect_uri: CALLBACK, ...fields },
      headers,
    )
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }

  /** All of it, to a token. */
  async function connect(key: string) {
    const { client_id } = (await register()).body
    const { verifier, challenge } = makePkce()
    const code =
      (await allow(toAuthorizeUrl({ client_id, code_challenge: challenge }), key)).searchParams.get('code') ?? ''
    const { body } = await redeem({ client_id, code, code_verifier: verifier })
    return { client_id, code, verifier, token: String(body.access_token) }
  }

  return { post, register, toAuthorizeUrl, visit, enter, decide, allow, redeem, connect }
}
