import { type AppContext, logFailure } from '../../account/context.ts'
import { listAllProjects } from '../../account/organizations/project.ts'
import { HOUR_MS } from '../../clock.ts'
import type { HistorySource, Suggestion } from '../../store/history.ts'
import type { HistoryReads, HistoryStore } from '../../store/history-verbs.ts'
import { MAX_LENGTH_AMONG_OTHERS, readLines } from '../read/session.ts'
import { toTranscriptLine } from '../read/transcript.ts'
import { findQuotes, MAX_SUGGESTED, type Prompt, selectQuotes } from './quotes.ts'

/** A session is examined when nothing of it has arrived for so long. */
const REST_MS = HOUR_MS
/** While so many suggestions of an owner wait, none are added; a page shows them all. */
export const MAX_OPEN = 30
/** Lines examined in one step: UTF-16 units of them, and prompts. */
const MAX_STEP_LENGTH = 16 * 2 ** 20
const MAX_STEP_PROMPTS = 200
/** Maximum characters of a prompt; a longer one is pasted. */
const MAX_PROMPT_CHARACTERS = 8_192
/** Suggestions of an owner so far that a new one may not be like. */
const MAX_KNOWN = 2_000

/**
 * Makes suggestions from the rested sessions of everybody who agreed, newest first. A project that fails is logged and
 * skipped. May be interrupted at any point and called again, also by several processes concurrently.
 */
export async function suggestFromSessions(ctx: AppContext, isStopped: () => boolean = () => false): Promise<void> {
  for (const { id, removedAt } of await listAllProjects(ctx)) {
    if (isStopped()) return
    if (removedAt !== null || !(await ctx.store.hasHistory(id))) continue
    await suggestInProject(ctx, ctx.store.history(id), isStopped).catch((error) =>
      logFailure(ctx, 'suggestions failed', id, error),
    )
  }
}

async function suggestInProject(ctx: AppContext, store: HistoryStore, isStopped: () => boolean): Promise<void> {
  for (const { id: ownerId, agreedAt } of await store.listOwners()) {
    while (agreedAt !== null && !isStopped()) {
      const open = await store.listSuggestions({ of: { ownerId }, state: 'open', limit: MAX_OPEN })
      const before = ctx.clock.now() - REST_MS
      const [source] = open.length < MAX_OPEN ? await store.listUnexamined(ownerId, before, 1) : []
      if (source === undefined || !(await examine(ctx, store, source))) break
    }
  }
}

/** Whether the owner of a source agreed to suggestions. */
export const isSuggesting = async (reads: Pick<HistoryReads, 'listOwners'>, ownerId: string): Promise<boolean> =>
  (await reads.listOwners()).some(({ id, agreedAt }) => id === ownerId && agreedAt !== null)

/** Examines the next lines of a session. Returns false if it was changed meanwhile, or its owner no longer agrees. */
async function examine(ctx: AppContext, store: HistoryStore, source: HistorySource): Promise<boolean> {
  const { ownerId, id: sourceId } = source
  const { prompts, examinedLine } = await readPrompts(store, source)
  const known = await store.listSuggestions({ of: { ownerId }, limit: MAX_KNOWN })
  const before = await store.listSuggestions({ of: { sourceId }, limit: MAX_SUGGESTED })
  const quotes = await selectQuotes(await findQuotes(prompts, source.examinedLine > 0), {
    known: known.map(({ terms }) => terms),
    limit: MAX_SUGGESTED - before.length,
  })
  const createdAt = ctx.clock.now()
  const made = quotes.map(({ line, text, terms }): Suggestion => {
    const id = ctx.random.uuid(createdAt)
    return { id, ownerId, sourceId, line, state: 'open', text, terms, createdAt }
  })
  return store.write(async (tx) => {
    const current = await tx.findSource({ id: sourceId })
    const isSame = current?.examinedLine === source.examinedLine && current.erasedLines === source.erasedLines
    if (!isSame || current.forgottenAt !== null || !(await isSuggesting(tx, ownerId))) return false
    await tx.insertSuggestions(made)
    await tx.updateSource(sourceId, { examinedLine })
    return true
  })
}

/** The prompts of the next lines, and the last line that was read. */
async function readPrompts(store: HistoryStore, source: HistorySource) {
  const prompts: Prompt[] = []
  let length = 0
  for await (const stored of readLines(store, source, source.examinedLine + 1)) {
    length += stored.text.length
    const isShort = stored.text.length <= MAX_LENGTH_AMONG_OTHERS
    const wish = { all: false, most: MAX_PROMPT_CHARACTERS }
    const shown = isShort ? await toTranscriptLine(source, stored, wish) : undefined
    if (shown?.role === 'user' && !shown.cut && !shown.summary && !isOfProgram(shown.text)) prompts.push(shown)
    if (length >= MAX_STEP_LENGTH || prompts.length >= MAX_STEP_PROMPTS) return { prompts, examinedLine: stored.line }
  }
  return { prompts, examinedLine: source.lastLine }
}

/** Programs write lines with the role of the user, too: in tags, with a heading, or in brackets. */
const isOfProgram = (text: string) => /^\s*(?:<|#|\[Request|Caveat: |This session is being continued|\/\w)/.test(text)
