import { Refusal } from '../../errors.ts'

/** A record that an act was refused for, and why. */
export type Refused = { id: string; reason: string }

/** Acts on one record after another; a refusal of one keeps none of the others from its turn. */
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

/** Why a command is to end with status 1, though it did what it could; undefined where nothing was refused. */
export function toPartRefusal(done: unknown[], refused: Refused[], participle: string): string | undefined {
  if (refused.length === 0) return undefined
  return `${refused.length} of ${done.length + refused.length} records were not ${participle}`
}

/** A line for each refusal. */
export function toRefusedLines(refused: Refused[], participle: string): string[] {
  return refused.map(({ id, reason }) => `not ${participle} ${id}: ${reason}`)
}
