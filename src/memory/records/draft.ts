import type { Static } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { NewRecord } from '../../store/record.ts'
import { toEntryInSlices } from '../search/index-entry.ts'
import { audienceOf } from '../visibility.ts'
import { DEFAULT_WORKSPACE } from '../workspaces/workspace.ts'
import { deriveFactKey } from './fact-key.ts'
import { readTime } from './read-time.ts'
import type { RememberArguments } from './remember.ts'
import { requireText } from './require-text.ts'

/** Largest content, in bytes of UTF-8. */
export const MAX_CONTENT_BYTES = 64 * 1024

/** What is to be saved, once its arguments are found good. */
export type Draft = Omit<NewRecord, 'workspaceId'> & { workspace: string }

/** Makes a record of `remember`'s arguments. Throws a Refusal for those that cannot be kept. */
export async function toDraft({ clock, random }: AppContext, caller: Caller, args: Static<typeof RememberArguments>): Promise<Draft> {
  const content = requireContent(args.content)
  if (args.source_hash !== undefined && args.source_id === undefined) {
    throw new Refusal('source_id is required when source_hash is provided')
  }
  const now = clock.now()
  const draft = {
    id: random.uuid(now),
    workspace: args.workspace ?? DEFAULT_WORKSPACE,
    audience: audienceOf(caller, args.scope ?? 'shared'),
    authorId: caller.authorId,
    content,
    factKey: args.fact_key === undefined ? deriveFactKey(content) : requireText('fact_key', args.fact_key),
    factKeyGiven: args.fact_key !== undefined,
    status: 'unverified' as const,
    supersededBy: null,
    sourceId: args.source_id === undefined ? null : requireText('source_id', args.source_id),
    sourceHash: args.source_hash === undefined ? null : requireText('source_hash', args.source_hash),
    createdAt: now,
    expiresAt: args.expires_at === undefined ? null : readTime('expires_at', args.expires_at),
    forgottenAt: null,
  }
  return { ...draft, entry: await toEntryInSlices(content) }
}

function requireContent(content: string): string {
  const size = Buffer.byteLength(content, 'utf8')
  if (size > MAX_CONTENT_BYTES) throw new Refusal(`content is too large: ${size} bytes of at most ${MAX_CONTENT_BYTES}`)
  return requireText('content', content)
}
