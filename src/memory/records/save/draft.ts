import { type Static, Type } from 'typebox'
import type { AppContext } from '../../../account/context.ts'
import { Refusal } from '../../../errors.ts'
import { joinPhrases, type NewRecord } from '../../../store/record.ts'
import { normalize } from '../../../text/normalize.ts'
import { toEntryInSlices } from '../../search/index/index-entry.ts'
import { audienceOf, type Principal, Scope } from '../../visibility.ts'
import { DEFAULT_WORKSPACE } from '../../workspaces/workspace.ts'
import { isTooLong, readTime, requireText } from '../text-argument.ts'

/** Phrases that one save gives, and that a record keeps. */
const MAX_GIVEN_PHRASES = 6
const MAX_PHRASES = 12
/** In Unicode code points. */
export const MAX_PHRASE_LENGTH = 120

const AskedAs = Type.Array(Type.String({ minLength: 1, maxLength: MAX_PHRASE_LENGTH }), {
  maxItems: MAX_GIVEN_PHRASES,
  description: `2 to ${MAX_GIVEN_PHRASES} phrases in other words somebody may ask with: synonyms, everyday terms, other languages; up to ${MAX_PHRASE_LENGTH} characters each`,
})

/**
 * Phrases as they are stored: each in one line, no two alike, at most 12.
 *
 * @throws Refusal for more phrases, and for one that is empty or too long, before or after normalization.
 */
export function readPhrases(phrases: string[]): string[] {
  if (phrases.length > MAX_PHRASES) throw new Refusal(`asked_as must have at most ${MAX_PHRASES} phrases`, 'asked_as')
  if (phrases.some((phrase) => isTooLong(phrase, MAX_PHRASE_LENGTH)))
    throw new Refusal(
      `asked_as must have phrases of at most ${MAX_PHRASE_LENGTH} characters, also after Unicode normalization (NFKC)`,
      'asked_as',
    )
  return mergePhrases(
    phrases.map((phrase) => requireText('a phrase of asked_as', phrase, 'asked_as').replace(/\s+/g, ' ').trim()),
    [],
  )
}

/**
 * The phrases given last before those that a record has, without repetitions; the oldest give way to more than it
 * keeps.
 */
export function mergePhrases(given: string[], present: string[]): string[] {
  const byComparable = new Map<string, string>()
  for (const phrase of [...given, ...present]) {
    const key = normalize(phrase, 'NFKC').toLowerCase()
    if (!byComparable.has(key)) byComparable.set(key, phrase)
  }
  return [...byComparable.values()].slice(0, MAX_PHRASES)
}

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
