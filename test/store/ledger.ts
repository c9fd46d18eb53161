import { ask, Stopping } from '../smoke/running.ts'

/** What assistants were told, and what they had asked for when the answer did not come. */
export type Ledger = { saved: Map<string, string>; forgotten: Set<string>; maybeForgotten: Set<string> }

export const createLedger = (): Ledger => ({ saved: new Map(), forgotten: new Set(), maybeForgotten: new Set() })

type Called = { structuredContent?: { result: { id: string } }; isError: boolean; content: { text: string }[] }

/** One assistant that saves, and forgets every third of its records, until the service is gone. `told` is called at each answer. */
export async function work(ledger: Ledger, url: string, key: string, name: string, told: () => void): Promise<void> {
  const call = async (tool: string, args: object) => {
    const called = (await ask(url, key, 'tools/call', { name: tool, arguments: args })) as Called
    if (called.isError) throw new Error(called.content[0]?.text)
    return called.structuredContent?.result.id ?? ''
  }
  try {
    for (let i = 0; ; i++) {
      const content = `note ${i} of ${name}`
      const id = await call('remember', { content })
      ledger.saved.set(id, content)
      told()
      if (i % 3 !== 2) continue
      ledger.maybeForgotten.add(id)
      await call('forget', { id })
      ledger.forgotten.add(id)
      told()
    }
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** Whether the connection broke, or the answer did, or the service said that it stops. */
const isGone = (error: unknown) => error instanceof SyntaxError || error instanceof Stopping || (error instanceof Error && 'code' in error)

/** Where the records that are kept differ from what assistants were told; empty when they agree. */
export function compare({ saved, forgotten, maybeForgotten }: Ledger, kept: { id: string; content: string }[]) {
  const contents = new Map(kept.map(({ id, content }) => [id, content]))
  return {
    lost: [...saved].filter(([id, content]) => !maybeForgotten.has(id) && contents.get(id) !== content),
    back: [...forgotten].filter((id) => contents.has(id)),
  }
}
