import { judge } from './judge.ts'
import { type Model, readModel } from './model.ts'
import type { Verdict } from './verdict.ts'
import stored from './weights.json' with { type: 'json' }

let shipped: Model | undefined

/** Judges whether a text is content for agents. Pure; never throws; time linear in the text, of which the first 120 000 characters are read. */
export function inspect(text: string): Verdict {
  shipped ??= readModel(stored)
  return judge(text, shipped)
}
