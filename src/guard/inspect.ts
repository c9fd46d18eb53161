import { finish, finishInSlices, type Steps } from '../cooperative.ts'
import { createGate } from '../semaphore.ts'
import { judge, type TextKind } from './judge.ts'
import { type Model, readModel } from './model.ts'
import type { Verdict } from './verdict.ts'
import stored from './weights.json' with { type: 'json' }

/** Read at the first text, because most commands of the executable never inspect one. */
let model: Model | undefined

/**
 * Judges whether a text is content for agents (docs/security-guard.md). Never throws. Takes time linear in the text:
 * the first 120 000 UTF-16 units are inspected.
 */
export function inspect(text: string, kind: TextKind = 'prose'): Verdict {
  return finish(inspectInSteps(text, kind))
}

/** Builds the tables of the guard, which takes 0.1 s and is otherwise done at the first text. */
export function loadGuard(): void {
  inspect('')
}

/** In UTF-16 units. Longer texts hold some megabytes each while they are inspected, so few are at a time. */
const MAX_SHORT_LENGTH = 4_096
const MAX_LONG_AT_ONCE = 4

const gate = createGate(MAX_LONG_AT_ONCE)

/** The same verdict as `inspect`, a slice at a time, so that a long text does not block the event loop. */
export function inspectInSlices(text: string, kind: TextKind = 'prose'): Promise<Verdict> {
  const inspected = () => finishInSlices(inspectInSteps(text, kind))
  return text.length <= MAX_SHORT_LENGTH ? inspected() : gate(inspected)
}

function inspectInSteps(text: string, kind: TextKind): Steps<Verdict> {
  model ??= readModel(stored)
  return judge(text, model, kind)
}
