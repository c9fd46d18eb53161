import type { AppContext } from '../account/context.ts'
import { fetchDocument } from './document.ts'

/** Whether client metadata documents could be fetched at the last attempt. Owned by the service. */
export type DocumentReach = { isReached: boolean }

type Context = AppContext & { documentReach: DocumentReach }

/** Documents of widespread applications, fetched to test whether that works from here. */
const TRIED_DOCUMENTS = [
  'https://claude.ai/oauth/claude-code-client-metadata',
  'https://chatgpt.com/oauth/codex/client.json',
]

export function createDocumentReach(): DocumentReach {
  return { isReached: false }
}

/**
 * Whether the server's metadata offers client metadata documents: as configured or, by default, if they could be
 * fetched. Otherwise applications register.
 */
export function offersDocuments({ config, documentReach }: Context): boolean {
  return config.clientDocuments === 'tried' ? documentReach.isReached : config.clientDocuments === 'on'
}

/** Tests within 5 seconds whether documents can be fetched, unless that is configured. Never throws. */
export async function tryDocuments(ctx: Context): Promise<void> {
  if (ctx.config.clientDocuments !== 'tried') return
  const tried = await Promise.allSettled(TRIED_DOCUMENTS.map((url) => fetchDocument(ctx, url)))
  const isReached = tried.every(({ status }) => status === 'fulfilled')
  if (ctx.documentReach.isReached && !isReached) ctx.log('client metadata documents are no longer offered')
  ctx.documentReach.isReached = isReached
}
