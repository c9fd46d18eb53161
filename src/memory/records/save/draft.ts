import { type Static, Type } from 'typebox'
import type { AppContext } from '../../../account/context.ts'
import { Refusal } from '../../../errors.ts'
import { joinPhrases, type NewRecord } from '../../../store/record.ts'
import { normalize } from '../../../text/normalize.ts'
import { toEntryInSlices } from '../../search/index/index-entry.ts'
import { audienceOf, type Principal, Scope } from '../../visibility.ts'
import { DEFAULT_WORKSPACE } from '../../workspaces/workspace.ts'
import { readTime, requireText } from '../text-argument.ts'
import { AskedAs, readPhrases } from './phrases.ts'

export const RememberArguments = Type.Object(
  {
    content: Type.String(),
    fact_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'For a fact that may change, such as "deploy.region": a newer record of the same key replaces the older',
      }),
    ),
    workspace: Type.Optional(
      Type.String({
        description: 'Omit it (`default`) unless a person chose one, or you correct a record of another',
      }),
    ),
    scope: Type.Optional(Type.Union(Scope.anyOf, { description: 'Who sees it; draft: you alone' })),
    source_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'Where it comes from: path, URL, ticket' }),
    ),
    source_hash: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Its hash now; give it for a file, so that freshness can be checked',
      }),
    ),
    expires_at: Type.Optional(Type.String({ description: 'ISO 8601 date or time; stale after it' })),
    asked_as: Type.Optional(AskedAs),
  },
  { additionalProperties: false },
)

/** Maximum size of a content, in bytes of UTF-8. */
export const MAX_CONTENT_BYTES = 64 * 1024

/** A record with valid arguments that is about to be saved. Its workspace is given by name, and may not exist yet. */
export type Draft = Omit<NewRecord, 'workspaceId'> & { workspace: string }

/**
 * Makes a draft of `remember`'s arguments, saved by `author` at `savedAt` (milliseconds since 1970).
 *
 * @throws Refusal for arguments that cannot be saved.
 */
export async function toDraft(
  { random }: Pick<AppContext, 'random'>,
  author: Principal,
  args: Static<typeof RememberArguments>,
  savedAt: number,
): Promise<Draft> {
  const content = requireContent(args.content)
  if (args.source_hash !== undefined && args.source_id === undefined) {
    throw new Refusal('source_id is required when source_hash is provided', 'source_id')
  }
  const draft = {
    id: random.uuid(savedAt),
    workspace: args.workspace ?? DEFAULT_WORKSPACE,
    audience: audienceOf(author, args.scope ?? 'shared'),
    authorId: author.authorId,
    content,
    askedAs: joinPhrases(readPhrases(args.asked_as ?? [])),
    factKey: args.fact_key === undefined ? deriveFactKey(content) : requireText('fact_key', args.fact_key),
    factKeyGiven: args.fact_key !== undefined,
    status: 'unverified' as const,
    supersededBy: null,
    sourceId: args.source_id === undefined ? null : requireText('source_id', args.source_id),
    sourceHash: args.source_hash === undefined ? null : requireText('source_hash', args.source_hash),
    createdAt: savedAt,
    refreshedAt: null,
    expiresAt: args.expires_at === undefined ? null : readTime('expires_at', args.expires_at),
    forgottenAt: null,
    verifiedAt: null,
    needsReview: false,
    marked: false,
  }
  return { ...draft, entry: await toEntryInSlices(draft) }
}

function requireContent(content: string): string {
  const size = Buffer.byteLength(content, 'utf8')
  if (size > MAX_CONTENT_BYTES)
    throw new Refusal(`content is too large: ${size} bytes of at most ${MAX_CONTENT_BYTES}`, 'content')
  return requireText('content', content)
}

const MAX_KEY_CHARACTERS = 60
const MAX_KEY_WORDS = 6
/** Only this many UTF-16 code units of a content are searched for the words of its key. */
const MAX_READ_LENGTH = 4_096
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/**
 * The fact key of a record that was saved without one: the first six words of its content, lower case, at most 60
 * characters, such as `use-pnpm-for-every-package`. Never empty.
 */
export function deriveFactKey(content: string): string {
  const words = normalize(content.slice(0, MAX_READ_LENGTH).toLowerCase(), 'NFKC').matchAll(WORD).take(MAX_KEY_WORDS)
  const slug = [...words].map(([word]) => word).join('-')
  return [...slug].slice(0, MAX_KEY_CHARACTERS).join('').replace(/-+$/, '') || 'note'
}
