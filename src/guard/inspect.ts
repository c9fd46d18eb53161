import { createGate, finish, finishInSlices } from '../cooperative.ts'
import { judge } from './judge.ts'
import { type Model, readModel } from './model.ts'
import type { Verdict } from './verdict.ts'
import stored from './weights.json' with { type: 'json' }

let shipped: Model | undefined

/** Judges whether a text is content for agents. Pure; never throws; time linear in the text, of which the first 120 000 characters are read. */
export function inspect(text: string): Verdict {
  return finish(steps(text))
}

/** Reads what the guard knows, which takes a tenth of a second and is otherwise done at the first text. */
export function loadGuard(): void {
  inspect('')
}

/** UTF-16 units of a text that is judged at once; of longer ones few are under way at a time, since each holds some megabytes. */
const SHORT_LENGTH = 4_096
const MAX_LONG_AT_ONCE = 4

const gate = createGate(MAX_LONG_AT_ONCE)

/** The same verdict as `inspect`, a slice at a time. */
export function inspectInSlices(text: string): Promise<Verdict> {
  return text.length <= SHORT_LENGTH ? finishInSlices(steps(text)) : gate(() => finishInSlices(steps(text)))
}

function steps(text: string) {
  shipped ??= readModel(stored)
  return judge(text, shipped)
}
