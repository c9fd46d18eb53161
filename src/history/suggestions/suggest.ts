import { type AppContext, logFailure } from '../../account/context.ts'
import { listAllProjects } from '../../account/organizations/project.ts'
import { HOUR_MS } from '../../clock.ts'
import type { HistorySource, HistoryStore, Suggestion } from '../../store/history.ts'
import { readLines } from '../read/lines.ts'
import { toTranscriptLine } from '../read/transcript.ts'
import { findQuotes, MAX_SUGGESTED, type Prompt, type Quote, selectQuotes } from './quotes.ts'

/** A session is examined when nothing of it has arrived for so long. */
const REST_MS = HOUR_MS
/** While so many suggestions of an owner wait for them, none are added. */
const MAX_OPEN = 30
/** Lines of a session examined in one step, UTF-16 units of them, and prompts of them. */
const MAX_STEP_LENGTH = 16 * 2 ** 20
const MAX_STEP_PROMPTS = 200
/** What a session is compared with: suggestions so far, and orders of the latest sessions. */
const MAX_KNOWN = 5_000
const MAX_SEEN = 2_000

/**
 * Makes suggestions from the rested sessions of everybody who agreed, newest first. May be interrupted at any point and
 * called again, also by several processes concurrently. A project that fails is logged and skipped.
 */
export async function suggestFromSessions(
  ctx: AppContext,
  isStopped: () => boolean = () => false,
  now = ctx.clock.now(),
): Promise<void> {
  for (const { id, removedAt } of await listAllProjects(ctx)) {
    if (isStopped()) return
    if (removedAt !== null || !(await ctx.store.hasHistory(id))) continue
    await suggestInProject(ctx, ctx.store.history(id), isStopped, now).catch((error) =>
      logFailure(ctx, 'suggestions failed', id, error),
    )
  }
}

async function suggestInProject(
  ctx: AppContext,
  store: HistoryStore,
  isStopped: () => boolean,
  now: number,
): Promise<void> {
  for (const { ownerId } of await store.listSuggestionOwners()) {
    while (!isStopped()) {
      const open = await store.listSuggestions({ ownerId, states: ['open'], limit: MAX_OPEN })
      const [source] = open.length < MAX_OPEN ? await store.listUnexamined(ownerId, now - REST_MS, 1) : []
      if (source === undefined || !(await examine(ctx, store, source))) break
    }
  }
}

/** Examines the next lines of a session. Returns false if it was changed meanwhile, or its owner no longer agrees. */
async function examine(ctx: AppContext, store: HistoryStore, source: HistorySource): Promise<boolean> {
  const { prompts, examinedLine } = await readPrompts(store, source)
  const { ownerId, id: sourceId } = source
  const ofSession = await store.listSuggestions({
    sourceId,
    states: ['open', 'kept', 'dismissed'],
    limit: MAX_SUGGESTED,
  })
  const known = await store.listSuggestions({ ownerId, states: ['open', 'kept', 'dismissed'], limit: MAX_KNOWN })
  const seen = await store.listSuggestions({ ownerId, states: ['seen'], limit: MAX_SEEN })
  const { suggested, orders } = await selectQuotes(await findQuotes(prompts), {
    known: known.map(({ terms }) => terms),
    seen: seen.filter((one) => one.sourceId !== sourceId).map(({ terms }) => terms),
    limit: MAX_SUGGESTED - ofSession.length,
  })
  const now = ctx.clock.now()
  const toRow = ({ line, text, terms }: Quote, more: Pick<Suggestion, 'signal' | 'state'>): Suggestion => ({
    ...{ id: ctx.random.uuid(now), ownerId, sourceId, line, text, terms, createdAt: now },
    ...more,
  })
  const rows = [
    ...suggested.map((quote) => toRow(quote, { signal: quote.signal, state: 'open' })),
    ...orders.map((quote) => toRow(quote, { signal: 'repeated', state: 'seen' })),
  ]
  return store.write(async (tx) => {
    const current = await tx.findSource({ id: sourceId })
    const isSame = current?.examinedLine === source.examinedLine && current.erasedLines === source.erasedLines
    const isAgreed = (await tx.listSuggestionOwners()).some((owner) => owner.ownerId === ownerId)
    if (!isSame || current.forgottenAt !== null || !isAgreed) return false
    await tx.insertSuggestions(rows)
    await tx.updateSource(sourceId, { examinedLine })
    return true
  })
}

/** Prompts of the next lines, and the last line that was read. */
async function readPrompts(
  store: HistoryStore,
  source: HistorySource,
): Promise<{ prompts: Prompt[]; examinedLine: number }> {
  const prompts: Prompt[] = []
  let length = 0
  for await (const stored of readLines(store, source, source.examinedLine + 1)) {
    length += stored.text.length
    const shown = toTranscriptLine(source, stored, { all: false, most: MAX_PROMPT_CHARACTERS })
    if (shown?.role === 'user' && shown.cut === undefined && !isOfProgram(shown.text)) prompts.push(shown)
    if (length >= MAX_STEP_LENGTH || prompts.length >= MAX_STEP_PROMPTS) return { prompts, examinedLine: stored.line }
  }
  return { prompts, examinedLine: source.lastLine }
}

const MAX_PROMPT_CHARACTERS = 8_192

/** Programs write lines with the role of the user, too: in tags, with a heading, or in brackets. */
const isOfProgram = (text: string) => /^\s*(?:<|#|\[Request|Caveat: |This session is being continued|\/\w)/.test(text)
