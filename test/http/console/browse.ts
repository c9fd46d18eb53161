import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { makeEntryLink } from '../../../src/account/auth/entry-link.ts'
import { openSession } from '../../../src/account/auth/session.ts'
import type { Service } from '../../../src/service.ts'
import type { Member } from '../../../src/store/account.ts'
import { toActor } from '../../builders/organization.ts'
import { startService } from '../../start-service.ts'

export const PASSWORD = 'correct horse battery'

/** How a page answered; `text` is its markup. */
export type Page = { status: number; headers: Headers; text: string; place: string | null }

/** What names the form of a page that shows something once. */
export function formOn({ text }: Page): string {
  return /name="form" value="([\w-]+)"/.exec(text)?.[1] ?? ''
}

/** The markup of a page without the ids of its forms, in which two pages that say the same differ. */
export const withoutFormIds = (text: string): string => text.replace(/name="form" value="[\w-]+"/g, '')

/**
 * A browser without eyes: keeps the cookie of its session, posts forms as a page of the service would, and follows
 * nothing by itself.
 */
export function browse(url: string, token?: string) {
  let cookie = token && `memsvc_session=${token}`

  async function request(path: string, init: RequestInit = {}, headers: Record<string, string> = {}): Promise<Page> {
    const sent = { ...(cookie === undefined ? {} : { cookie }), ...headers }
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers: sent })
    const [given] =
      response.headers
        .getSetCookie()
        .find((one) => one.includes('memsvc_session='))
        ?.split(';') ?? []
    if (given !== undefined) cookie = given.endsWith('=') ? undefined : given
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      place: response.headers.get('location'),
    }
  }

  const own = {
    origin: new URL(url).origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  }
  return {
    get: (path: string, headers: Record<string, string> = {}) => request(path, {}, headers),
    post: (path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      request(path, { method: 'POST', body: new URLSearchParams(form).toString() }, { ...own, ...headers }),
    /** Posts fields of which several have one name, already encoded. */
    postText: (path: string, body: string) => request(path, { method: 'POST', body }, own),
    cookie: () => cookie,
  }
}

/** A browser in which this member is signed in, by a link, as anybody's first time is. */
export async function signedIn(service: Service, url: string, member: Member) {
  const browser = browse(url)
  const token = await makeEntryLink(service, COMMAND_LINE, member)
  const { status } = await browser.post(`/console/enter/${token}`, { password: PASSWORD })
  if (status !== 303) throw new Error(`${member.email} could not come in: ${status}`)
  return browser
}

/** A browser that a session of this member was begun in. */
export async function inSession(service: Service, url: string, member: Member) {
  const actor = await toActor(service, member)
  return browse(url, await service.store.control.write((tx) => openSession(service, tx, actor, null)))
}

/** The code that `memsvc sync console` prints on a machine with this key. */
export async function readCode(url: string, secret: string): Promise<string> {
  const answer = await fetch(`${url}/v1/sync/console-code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
  })
  const { code } = (await answer.json()) as { code?: string }
  if (code === undefined) throw new Error(`no code: ${answer.status}`)
  return code
}

/** The whole service with its owner signed in, and the path of its project's pages. */
export async function startConsole(wish: Parameters<typeof startService>[0] = {}) {
  const running = await startService(wish)
  const browser = await signedIn(running.service, running.url, running.owner)
  return { ...running, ...browser, at: `/console/projects/${running.project.id}` }
}
