import { Type } from 'typebox'
import { toSender } from '../../account/limits/held-bytes.ts'
import { argumentsReader } from '../../arguments.ts'
import { MAX_COMPRESSED_BYTES, MAX_HEADS, MAX_SEGMENT_LINES, SEGMENT_BYTES } from '../../history/upload/bounds.ts'
import { type DescribedSource, readHeads } from '../../history/upload/heads.ts'
import { UploadRefusal } from '../../history/upload/upload-refusal.ts'
import { isObject, type Params, readJson } from '../../jsonrpc.ts'
import { ASSISTANTS } from '../../transcripts/format.ts'
import { announcedSize, readBody } from '../body.ts'
import { type SyncRequest, toJson } from './route.ts'

const MAX_BODY_BYTES = 2 ** 20

/** Text without control characters, which no valid name contains. */
const text = (maxLength: number, minLength = 0) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const optional = (maxLength: number) => Type.Optional(Type.Union([text(maxLength), Type.Null()]))

const Source = Type.Object({
  assistant: text(64, 1),
  source_key: text(512, 1),
  session_id: text(256, 1),
  kind: Type.Union([Type.Literal('main'), Type.Literal('subagent')]),
  parent_session_id: optional(256),
  cwd: optional(4_096),
  git_branch: optional(512),
  app_version: optional(128),
  first_at: optional(64),
  last_at: optional(64),
})

/** `project_id` and `holder_id` are of what the person agreed to, as `/v1/key` told them then. */
const Body = Type.Object({
  project_id: text(64, 1),
  holder_id: text(64, 1),
  device: Type.String({ pattern: '^[0-9a-fA-F-]{36}$' }),
  sources: Type.Array(Source, { maxItems: MAX_HEADS }),
})

type Source = Type.Static<typeof Source>
const read = argumentsReader(Body)

/** `POST /v1/sync/heads` */
export async function askHeads({ service, request, caller, identify }: SyncRequest): Promise<Response> {
  const release = service.uploadTraffic.hold(
    toSender(caller),
    Math.min(announcedSize(request.headers, MAX_BODY_BYTES), MAX_BODY_BYTES),
  )
  try {
    const {
      device,
      sources,
      project_id: projectId,
      holder_id: ownerId,
    } = parse(await readBody(request, MAX_BODY_BYTES))
    const actor = await identify()
    const heads = await readHeads(service, actor, {
      projectId: caller.projectId,
      agreed: { projectId, ownerId },
      device,
      sources: sources.map(toDescribed),
    })
    return toJson({
      heads: heads.map(({ sourceId, ...head }) => ({ source_id: sourceId, ...head })),
      limits: {
        max_segment_bytes: SEGMENT_BYTES,
        max_segment_lines: MAX_SEGMENT_LINES,
        max_request_bytes: MAX_COMPRESSED_BYTES,
        retention_days: service.config.historyDays,
        assistants: ASSISTANTS,
      },
      server_time: new Date(service.clock.now()).toISOString(),
    })
  } finally {
    release()
  }
}

/**
 * @throws ProtocolError as `readJson`, UploadRefusal for another invalid body, and a Refusal that names an invalid
 *   field.
 */
function parse(text: string): Type.Static<typeof Body> {
  const body = parseObject(text)
  read(body)
  const { sources } = body as Type.Static<typeof Body>
  for (const source of sources) {
    const isStorable = Object.values(source).every((value) => typeof value !== 'string' || value.isWellFormed())
    if (!isStorable) throw new UploadRefusal('invalid', 'sources must be well-formed Unicode text')
  }
  return body as Type.Static<typeof Body>
}

/** The heads of `MAX_HEADS` sources have half as many values as `readJson` takes. */
function parseObject(text: string): Params {
  const body = readJson(text)
  if (isObject(body)) return body
  throw new UploadRefusal('invalid', 'the body is not a JSON object')
}

function toDescribed(source: Source): DescribedSource {
  return {
    assistant: source.assistant,
    sourceKey: source.source_key,
    sessionId: source.session_id,
    kind: source.kind,
    parentSessionId: source.parent_session_id ?? null,
    cwd: source.cwd ?? null,
    gitBranch: source.git_branch ?? null,
    appVersion: source.app_version ?? null,
    firstAt: toTime(source.first_at),
    lastAt: toTime(source.last_at),
  }
}

function toTime(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : time
}
