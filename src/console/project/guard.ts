import { actorNames } from '../../account/audit/named-events.ts'
import { mayManage } from '../../account/auth/actor.ts'
import { inspectInSlices } from '../../guard/inspect.ts'
import { decideRelease } from '../../memory/rejections/decide-release.ts'
import { countRejected, listRejections, MAX_REJECTED } from '../../memory/rejections/list-rejections.ts'
import { askRelease, requireReleasable, revokeRelease, withdrawRelease } from '../../memory/rejections/releases.ts'
import { listReleases, requireRelease } from '../../memory/rejections/visible-releases.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { Service } from '../../service.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { Release } from '../../store/release.ts'
import type { Done } from '../done-messages.ts'
import {
  type Action,
  type Answer,
  done,
  type MemoryRequest,
  openForReading,
  type PageContent,
  pageOf,
} from '../page.ts'
import { countListed, PAGE_SIZE, readPageNumber, readSeq, toQueryPath } from '../paging.ts'
import { redirect } from '../response.ts'
import { type Explanation, type Rejection, toGuard } from './guard-sections.ts'
import { type NamedRelease, type ReleaseLists, toRelease } from './release.ts'

/** The pages of the Security Guard in a project: rejections, explanations and releases. */
export const guard = pageOf(openForReading, {
  path: '/console/projects/:project/guard',
  show: (req) => showGuard(req),
  views: { '/releases/:hash': showRelease },
  forms: {
    // A POST although it changes nothing, since a text may be too long for a URL.
    '/explain': explain,
    '/ask': { act: ask, refused: (req) => explain(req, req.refused?.fields ?? new URLSearchParams()) },
    '/withdraw': toAct('release.withdrawn', withdrawRelease),
    '/revoke': toAct('release.revoked', revokeRelease),
    '/releases/:hash': { act: decide, refused: showRelease },
  },
})

/** The page with the verdict on the text of a form. */
async function explain(req: MemoryRequest, form: URLSearchParams): Promise<PageContent> {
  const text = requireReleasable(readText(form))
  const hash = sha256Hex(text)
  const { state } = await findState(req, hash)
  return showGuard(req, { text, hash, verdict: await inspectInSlices(text), state })
}

/** Redirects owners and admins to the page where they decide. */
async function ask({ service, visitor, actor, project, at }: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const hash = await askRelease(service, actor, {
    projectId: project.id,
    text: readText(form),
    why: form.get('why') ?? '',
  })
  return mayManage(visitor.member) ? redirect(`${at}/releases/${hash}`) : 'release.asked'
}

function toAct(message: Done, change: typeof withdrawRelease): Action<MemoryRequest> {
  return done(message, ({ service, actor, project }, form) =>
    change(service, actor, { projectId: project.id, hash: form.get('hash') ?? '' }),
  )
}

/** Decides on the text whose hash is in the path. */
async function decide({ service, actor, params, project }: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const allowed = form.get('answer') === 'release'
  await decideRelease(service, actor, { projectId: project.id, hash: params.hash ?? '', allowed })
  return allowed ? 'content.allowed' : 'release.declined'
}

async function showRelease({ service, visitor, params, project, at }: MemoryRequest): Promise<PageContent> {
  const release = await requireRelease(service, visitor, { projectId: project.id, hash: params.hash ?? '' })
  const isOwn = release.askedBy === `member:${visitor.member.id}`
  const named = toNamed(release, await readActorNames(service, [release]))
  const rights = { mayDecide: mayManage(visitor.member), mayWithdraw: isOwn && release.state === 'asked' }
  return { title: 'Release', body: toRelease(at, named, rights) }
}

/** The text as an assistant would send it: CRLF, which forms send, becomes LF, and a final line end is removed. */
function readText(form: URLSearchParams): string {
  return (form.get('text') ?? '').replaceAll('\r\n', '\n').replace(/\n$/, '')
}

async function showGuard(req: MemoryRequest, explanation?: Explanation): Promise<PageContent> {
  const { request, url, at } = req
  const before = request.method === 'GET' ? readSeq(url.searchParams.get('before')) : undefined
  const lines = await listRejections(req.service, req.visitor, req.project.id, {
    beforeSeq: before,
    limit: PAGE_SIZE + 1,
  })
  const shown = lines.slice(0, PAGE_SIZE)
  const older = lines.length > PAGE_SIZE ? toQueryPath(at, { before: shown.at(-1)?.seq.toString() }) : undefined
  const body = toGuard({
    at,
    explanation,
    releases: await readReleases(req),
    rejections: await toRejections(req, shown),
    count: await countListed(req, { rows: shown, older }, () => countAll(req)),
    older,
  })
  return { title: 'Guard', body }
}

async function countAll({ service, actor, project }: MemoryRequest): Promise<number | undefined> {
  const count = await countRejected(service, actor, { projectId: project.id, since: 0 })
  return count > MAX_REJECTED ? undefined : count
}

async function readReleases({ service, visitor, url, at, project }: MemoryRequest): Promise<ReleaseLists> {
  const page = readPageNumber(url)
  const part = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
  const { waiting, allowed, allowedCount, own } = await listReleases(service, visitor, project.id, part)
  const actorName = await readActorNames(service, [...waiting, ...allowed, ...own])
  const named = (releases: Release[]) => releases.map((release) => toNamed(release, actorName))
  return {
    mayDecide: mayManage(visitor.member),
    waiting: named(waiting),
    allowed: named(allowed),
    allowedCount,
    more: allowedCount > page * PAGE_SIZE ? toQueryPath(at, { page: String(page + 1) }) : undefined,
    own: named(own),
  }
}

function readActorNames(service: Service, releases: Release[]): Promise<(actor: string) => string> {
  const actors = releases.flatMap(({ askedBy, decidedBy }) => [askedBy, decidedBy]).filter((actor) => actor !== null)
  return actorNames(service, actors)
}

function toNamed(release: Release, actorName: (actor: string) => string): NamedRelease {
  const name = (actor: string | null) => (actor === null ? undefined : actorName(actor))
  return { ...release, askedBy: name(release.askedBy), decidedBy: name(release.decidedBy) }
}

async function toRejections(req: MemoryRequest, events: AuditEntry[]): Promise<Rejection[]> {
  const actors = events.map(({ actor }) => actor)
  const actorName = await actorNames(req.service, actors)
  const toRejection = async ({ at, via, details, target, actor }: AuditEntry): Promise<Rejection> => {
    const hash = target ?? ''
    const isOwn = actor === `member:${req.visitor.member.id}`
    return { at, via, details, hash, who: actorName(actor), ...(await findState(req, hash)), isOwn }
  }
  return Promise.all(events.map(toRejection))
}

/**
 * The state of a text's release, and whether the visitor may read the text. Requests of others, and those declined, are
 * known only to owners and admins; that a text is released, to everybody.
 */
async function findState({ visitor, memory }: MemoryRequest, hash: string) {
  const release = await memory.findRelease(hash)
  const mayRead = release?.askedBy === `member:${visitor.member.id}` || mayManage(visitor.member)
  return { state: mayRead || release?.state === 'allowed' ? release?.state : undefined, mayRead }
}
