import { Elysia } from 'elysia'
import { actorName } from '../../account/actor-name.ts'
import { type Judged, type Rejection, toGuard } from '../../console/guard.ts'
import { toQueryPath } from '../../console/query-path.ts'
import { Refusal } from '../../errors.ts'
import { allowContent } from '../../memory/allow.ts'
import { LARGEST_CONTENT } from '../../memory/draft.ts'
import { inspectInSlices } from '../../memory/guard/inspect.ts'
import { listRejections } from '../../memory/list-rejections.ts'
import { hashOf } from '../../memory/pass-guard.ts'
import type { Service } from '../../service.ts'
import type { AuditEntry } from '../../store/audit.ts'
import { shows, takes } from './handle.ts'
import { type InMemory, inMemory, readBack } from './in-memory.ts'
import { PAGE, readSeq } from './paged.ts'
import { type Said, toConsolePage, toPlace, type Visit } from './visit.ts'

const PATH = '/console/projects/:project/guard'

/** Why the guard rejected, what it would say of a text, and what may pass all the same. */
export function guard(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/guard' })
    .get(PATH, shows(service, showGuard))
    .post(`${PATH}/explain`, takes(service, explain, showGuard), raw)
    .post(`${PATH}/allow`, takes(service, allow, showGuard), raw)
}

async function showGuard(visit: Visit, said: Said): Promise<Response> {
  return toGuardPage(visit, await inMemory(visit, 'read'), said)
}

/** Changes nothing, but a text is too long for an address. */
async function explain(visit: Visit, form: URLSearchParams): Promise<Response> {
  const place = await inMemory(visit, 'read')
  const text = readText(form)
  const hash = hashOf(text)
  const judged = { hash, verdict: await inspectInSlices(text), allowed: await place.memory.isAllowed(hash) }
  return toGuardPage(visit, place, { given: form }, judged)
}

async function allow(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { project, path } = await inMemory(visit, 'write')
  await allowContent(visit.service, project, form.get('hash') ?? '', visit.by)
  return toPlace(readBack(form, path, `${path}/guard`), 'content.allowed')
}

/** The content as an assistant would send it: a form ends lines in its own way, and an editor puts a line end last. */
function readText(form: URLSearchParams): string {
  const text = (form.get('text') ?? '').replaceAll('\r\n', '\n').replace(/\n$/, '')
  if (text.trim() === '') throw new Refusal('the text must not be empty')
  const size = Buffer.byteLength(text, 'utf8')
  if (size > LARGEST_CONTENT) throw new Refusal(`the text is too large: ${size} bytes of at most ${LARGEST_CONTENT}`)
  return text
}

async function toGuardPage(visit: Visit, place: InMemory, said: Said, judged?: Judged): Promise<Response> {
  const { project, path } = place
  const section = `${path}/guard`
  const before = visit.request.method === 'GET' ? readSeq(visit.url.searchParams.get('before')) : undefined
  const lines = await listRejections(visit.service, visit.visitor, project, { beforeSeq: before, limit: PAGE + 1 })
  const shown = lines.slice(0, PAGE)
  const body = toGuard({
    path,
    back: toQueryPath(section, { before: before?.toString() }),
    text: said.given?.get('text') ?? '',
    judged,
    rejections: await Promise.all(shown.map((line) => toRejection(visit.service, place, line))),
    older: lines.length > PAGE ? toQueryPath(section, { before: shown.at(-1)?.seq.toString() }) : undefined,
  })
  return toConsolePage(visit, said, { title: 'Guard', section, project, body })
}

async function toRejection(service: Service, { memory }: InMemory, { at, origin, details, target, actor }: AuditEntry): Promise<Rejection> {
  const hash = target ?? ''
  return { at, origin, details, hash, who: await actorName(service, actor), allowed: await memory.isAllowed(hash) }
}
