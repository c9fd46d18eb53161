import type { Ledger } from '../ledger.ts'
import { callTool, type Outcome } from './call.ts'
import type { Fleet, Instance } from './fleet.ts'

const anyOf = <One>(list: One[]): One => {
  const one = list[Math.floor(Math.random() * list.length)]
  if (one === undefined) throw new Error('there is none')
  return one
}

export const anyInstance = ({ instances }: Fleet): Instance => anyOf(instances)

/** How long an assistant waits before it asks again. */
const PAUSE_MS = 50

/**
 * An assistant behind a balancer: each call goes to any instance, and one without an answer is repeated, at whichever,
 * until it has one. It saves, forgets every third record, and gives its one fact another value after every fourth.
 * `told` is called at each answer. Ends when `isOver` says so, with nothing unanswered; rejects when `failed` is
 * aborted, as nothing may be answered then any more.
 */
export async function workAnywhere(
  fleet: Fleet,
  ledger: Ledger,
  name: string,
  { told, isOver, failed }: { told: () => void; isOver: () => boolean; failed: AbortSignal },
): Promise<void> {
  async function ask(tool: string, args: object): Promise<Outcome> {
    for (let asked = 1; ; asked++) {
      failed.throwIfAborted()
      const outcome = await callTool(anyInstance(fleet).url, fleet.secret, tool, args)
      // A record that was forgotten by the call whose answer was lost is there no more.
      const isDone = outcome.kind === 'answered' && (outcome.id !== undefined || tool === 'forget')
      if (isDone) return outcome
      if (outcome.kind === 'answered' || outcome.kind === 'unauthorized')
        throw new Error(`${tool}, asked ${asked} times: ${outcome.text}`)
      await Bun.sleep(PAUSE_MS)
    }
  }
  const save = async (content: string, more: object = {}) => {
    const { id = '' } = await ask('remember', { content, ...more })
    ledger.saved.set(id, content)
    told()
    return id
  }
  for (let i = 1; !isOver(); i++) {
    const id = await save(`note ${ledger.next++} of ${name}`)
    if (i % 3 === 0) {
      ledger.maybeForgotten.add(id)
      await ask('forget', { id })
      ledger.forgotten.add(id)
      told()
    }
    if (i % 4 === 0) {
      const content = `value ${ledger.next++} of ${name}`
      await save(content, { fact_key: name })
      ledger.facts.set(name, { told: content, asked: new Set() })
    }
  }
}
