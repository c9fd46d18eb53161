import { ask, Stopping } from '../smoke/running.ts'

/** What assistants were told, and what they had asked for when the answer did not come. */
export type Ledger = {
  /** Number of the next content, so that each stands for one save. */
  next: number
  /** Contents by the id that was answered. */
  saved: Map<string, string>
  forgotten: Set<string>
  maybeForgotten: Set<string>
  /** Contents by the assistant that asked for them and has no answer; it asks for them again first. */
  unanswered: Map<string, string>
  /** By fact key: the content that was answered last, and what was asked for since. */
  facts: Map<string, Fact>
}

type Fact = { told: string | undefined; asked: Set<string> }

export const createLedger = (): Ledger => ({
  next: 1,
  saved: new Map(),
  forgotten: new Set(),
  maybeForgotten: new Set(),
  unanswered: new Map(),
  facts: new Map(),
})

/** An assistant: where it asks, with which key, and its name, under which it goes on in the next round. */
export type Assistant = { url: string; key: string; name: string }

type Called = { structuredContent?: { result: { id: string } }; isError: boolean; content: { text: string }[] }

/**
 * One assistant until the service is gone: it saves, forgets every third record, and gives its one fact another value
 * after every fourth. A save whose answer did not come is asked for again, as clients do. `told` is called at each
 * answer, and waited for. Throws what the service refuses, unless `isOver` says that its end has begun.
 */
export async function work(
  ledger: Ledger,
  assistant: Assistant,
  told: () => void | Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const { name } = assistant
  const call = toCall(assistant)
  const save = async (content: string, more: object = {}) => {
    ledger.unanswered.set(name, content)
    const id = await call('remember', { content, ...more })
    ledger.unanswered.delete(name)
    ledger.saved.set(id, content)
    await told()
    return id
  }
  const forget = async (id: string) => {
    ledger.maybeForgotten.add(id)
    await call('forget', { id })
    ledger.forgotten.add(id)
    await told()
  }
  const change = async (content: string) => {
    const fact = ledger.facts.get(name) ?? { told: undefined, asked: new Set() }
    fact.asked.add(content)
    ledger.facts.set(name, fact)
    await save(content, { fact_key: name })
    ledger.facts.set(name, { told: content, asked: new Set() })
  }
  try {
    const unanswered = ledger.unanswered.get(name)
    if (unanswered?.startsWith('value')) await change(unanswered)
    else if (unanswered !== undefined) await save(unanswered)
    for (let i = 1; ; i++) {
      const id = await save(`note ${ledger.next++} of ${name}`)
      if (i % 3 === 0) await forget(id)
      if (i % 4 === 0) await change(`value ${ledger.next++} of ${name}`)
    }
  } catch (error) {
    if (!isGone(error) && !isOver()) throw error
  }
}

const toCall =
  ({ url, key }: Assistant) =>
  async (tool: string, args: object): Promise<string> => {
    const called = (await ask(url, key, 'tools/call', { name: tool, arguments: args })) as Called
    if (called.isError) throw new Error(called.content[0]?.text)
    return called.structuredContent?.result.id ?? ''
  }

/** Whether the connection broke, or the answer did, or the service said that it stops. */
const isGone = (error: unknown) =>
  error instanceof SyntaxError || error instanceof Stopping || (error instanceof Error && 'code' in error)

/** A record that is kept and not forgotten. */
export type Kept = { id: string; content: string; factKey: string; status: string }

export const NOTHING_WRONG = { lost: [], back: [], doubled: [], facts: [] }

/** Where the records that are kept differ from what assistants were told: `NOTHING_WRONG` when they agree. */
export function compare({ saved, forgotten, maybeForgotten, facts }: Ledger, kept: Kept[]) {
  const contents = new Map(kept.map(({ id, content }) => [id, content]))
  return {
    lost: [...saved].filter(([id, content]) => !maybeForgotten.has(id) && contents.get(id) !== content),
    back: [...forgotten].filter((id) => contents.has(id)),
    doubled: [...Map.groupBy(kept, ({ content }) => content)].filter(([, records]) => records.length > 1),
    facts: [...facts].filter(([key, fact]) => !isPossible(fact, findCurrent(kept, key))),
  }
}

const findCurrent = (kept: Kept[], key: string) =>
  kept.filter(({ factKey, status }) => factKey === key && status !== 'superseded').map(({ content }) => content)

/** Whether the current contents of a fact key are what an assistant was told, or one that it asked for since. */
function isPossible({ told, asked }: Fact, current: string[]): boolean {
  const [content] = current
  if (current.length > 1) return false
  return content === undefined ? told === undefined : content === told || asked.has(content)
}
