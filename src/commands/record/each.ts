import { Refusal } from '../../errors.ts'
import { countOf } from '../terminal/count-of.ts'

/** The id of a record for which an action was refused, and the reason. */
type Refused = { id: string; reason: string }

/** Runs `act` for one record after the other. A Refusal is collected, and does not stop the rest; other errors do. */
export async function eachRecord<Done>(ids: string[], act: (id: string) => Promise<Done>): Promise<{ done: Done[]; refused: Refused[] }> {
  const done: Done[] = []
  const refused: Refused[] = []
  for (const id of ids) {
    try {
      done.push(await act(id))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push({ id, reason: error.message })
    }
  }
  return { done, refused }
}

/** The message for exit status 1 if some records were refused; undefined if none was. */
export function toPartRefusal(done: unknown[], refused: Refused[], participle: string): string | undefined {
  if (refused.length === 0) return undefined
  const all = done.length + refused.length
  return `${refused.length} of ${countOf(all, 'record')} ${all === 1 ? 'was' : 'were'} not ${participle}`
}

/** The refusals as text, one line each. */
export function toRefusedLines(refused: Refused[], participle: string): string[] {
  return refused.map(({ id, reason }) => `not ${participle} ${id}: ${reason}`)
}
