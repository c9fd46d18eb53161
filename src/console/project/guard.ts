import { actorNames } from '../../account/audit/named-events.ts'
import { mayManage } from '../../account/auth/authorize.ts'
import { inspectInSlices } from '../../guard/inspect.ts'
import { listRejections } from '../../memory/rejections/list-rejections.ts'
import { askRelease, decideRelease, requireReleasable, revokeRelease, withdrawRelease } from '../../memory/rejections/releases.ts'
import { listReleases, requireRelease } from '../../memory/rejections/visible-releases.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { Service } from '../../service.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { Release } from '../../store/release.ts'
import { typedValue } from '../form.ts'
import { pageOf } from '../page.ts'
import { PAGE_SIZE, readPageNumber, readSeq, toQueryPath } from '../paging.ts'
import { type FormState, type MemoryRequest, openForReading, toConsolePage } from '../request.ts'
import { redirect } from '../response.ts'
import { type Explanation, type Rejection, toGuard } from './guard-sections.ts'
import { type NamedRelease, type ReleaseLists, type ReleaseState, toRelease } from './release.ts'

/** The pages of the Security Guard in a project: rejections, explanations and releases. */
export const guard = pageOf(openForReading, {
  path: '/console/projects/:project/guard',
  show: (req, state) => showGuard(req, state),
  views: { '/releases/:hash': showRelease },
  forms: {
    '/explain': explain,
    '/ask': { act: ask, refused: showAsking },
    '/withdraw': withdraw,
    '/revoke': revoke,
    '/releases/:hash': { act: decide, refused: showRelease },
  },
})

/** A POST although it changes nothing, since a text may be too long for a URL. */
async function explain(req: MemoryRequest, form: URLSearchParams): Promise<Response> {
  return showGuard(req, { fields: form }, await explainText(req, requireReleasable(readText(form))))
}

/** Shows the form that requests a release again, with the verdict and the typed values. */
async function showAsking(req: MemoryRequest, state: FormState): Promise<Response> {
  const text = readText(state.fields ?? new URLSearchParams())
  return showGuard(req, state, await explainText(req, requireReleasable(text)))
}

async function explainText(req: MemoryRequest, text: string): Promise<Explanation> {
  const hash = sha256Hex(text)
  return { hash, verdict: await inspectInSlices(text), state: await findState(req, hash) }
}

/** Redirects owners and admins to the page where they decide. */
async function ask(req: MemoryRequest, form: URLSearchParams): Promise<Response> {
  const { service, visitor, actor, project, path } = req
  const hash = await askRelease(service, actor, { projectId: project.id, text: readText(form), why: form.get('why') ?? '' })
  if (mayManage(visitor.member)) return redirect(`${path}/guard/releases/${hash}`)
  return redirect(`${path}/guard`, 'release.asked')
}

async function withdraw({ service, actor, project, path }: MemoryRequest, form: URLSearchParams): Promise<Response> {
  await withdrawRelease(service, actor, { projectId: project.id, hash: form.get('hash') ?? '' })
  return redirect(`${path}/guard`, 'release.withdrawn')
}

async function revoke({ service, actor, project, path }: MemoryRequest, form: URLSearchParams): Promise<Response> {
  await revokeRelease(service, actor, { projectId: project.id, hash: form.get('hash') ?? '' })
  return redirect(`${path}/guard`, 'release.revoked')
}

/** Decides on the text whose hash is in the path. */
async function decide({ service, actor, params, project, path }: MemoryRequest, form: URLSearchParams): Promise<Response> {
  const allowed = form.get('answer') === 'release'
  await decideRelease(service, actor, { projectId: project.id, hash: params.hash ?? '', allowed })
  return redirect(`${path}/guard`, allowed ? 'content.allowed' : 'release.declined')
}

async function showRelease(req: MemoryRequest, state: FormState): Promise<Response> {
  const { service, visitor, params, project, path } = req
  const release = await requireRelease(service, visitor, { projectId: project.id, hash: params.hash ?? '' })
  const isOwn = release.askedBy === `member:${visitor.member.id}`
  const body = toRelease({
    path,
    release: toNamed(release, await readActorNames(service, [release])),
    mayDecide: mayManage(visitor.member),
    mayWithdraw: isOwn && release.state === 'asked',
  })
  return toConsolePage(req, state, { title: 'Release', section: `${path}/guard`, project, body })
}

/** The text as an assistant would send it: CRLF, which forms send, becomes LF, and a final line end is removed. */
function readText(form: URLSearchParams): string {
  return (form.get('text') ?? '').replaceAll('\r\n', '\n').replace(/\n$/, '')
}

async function showGuard(req: MemoryRequest, state: FormState, explanation?: Explanation): Promise<Response> {
  const { project, path } = req
  const section = `${path}/guard`
  const before = req.request.method === 'GET' ? readSeq(req.url.searchParams.get('before')) : undefined
  const lines = await listRejections(req.service, req.visitor, project.id, { beforeSeq: before, limit: PAGE_SIZE + 1 })
  const shown = lines.slice(0, PAGE_SIZE)
  const body = toGuard({
    path,
    text: readText(state.fields ?? new URLSearchParams()),
    why: typedValue(state, 'why'),
    explanation,
    releases: await readReleases(req, section),
    rejections: await toRejections(req, shown),
    older: lines.length > PAGE_SIZE ? toQueryPath(section, { before: shown.at(-1)?.seq.toString() }) : undefined,
  })
  return toConsolePage(req, state, { title: 'Guard', section, project, body })
}

async function readReleases({ service, visitor, url, project }: MemoryRequest, section: string): Promise<ReleaseLists> {
  const page = readPageNumber(url)
  const part = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
  const { waiting, allowed, areMoreAllowed, own } = await listReleases(service, visitor, project.id, part)
  const actorName = await readActorNames(service, [...waiting, ...allowed, ...own])
  const named = (releases: Release[]) => releases.map((release) => toNamed(release, actorName))
  return {
    mayDecide: mayManage(visitor.member),
    waiting: named(waiting),
    allowed: named(allowed),
    more: areMoreAllowed ? toQueryPath(section, { page: String(page + 1) }) : undefined,
    own: named(own),
  }
}

function readActorNames(service: Service, releases: Release[]): Promise<(actor: string) => string> {
  const actors = releases.flatMap(({ askedBy, decidedBy }) => [askedBy, decidedBy])
  return actorNames(
    service,
    actors.filter((actor) => actor !== null),
  )
}

function toNamed(release: Release, actorName: (actor: string) => string): NamedRelease {
  const name = (actor: string | null) => (actor === null ? undefined : actorName(actor))
  return { ...release, askedBy: name(release.askedBy), decidedBy: name(release.decidedBy) }
}

async function toRejections(req: MemoryRequest, events: AuditEntry[]): Promise<Rejection[]> {
  const actorName = await actorNames(
    req.service,
    events.map(({ actor }) => actor),
  )
  const toRejection = async ({ at, via, details, target, actor }: AuditEntry): Promise<Rejection> => {
    const hash = target ?? ''
    const isOwn = actor === `member:${req.visitor.member.id}`
    return { at, via, details, hash, who: actorName(actor), state: await findState(req, hash), isOwn }
  }
  return Promise.all(events.map(toRejection))
}

/** The state of a text's release. Requests of others, and those declined, are known only to owners and admins. */
async function findState({ visitor, memory }: MemoryRequest, hash: string): Promise<ReleaseState> {
  const release = await memory.findRelease(hash)
  const maySee = release?.state === 'allowed' || release?.askedBy === `member:${visitor.member.id}` || mayManage(visitor.member)
  return maySee ? release?.state : undefined
}
