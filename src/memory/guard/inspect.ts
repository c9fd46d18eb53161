import { judge } from './judge.ts'
import { readModel } from './model.ts'
import type { Verdict } from './verdict.ts'
import stored from './weights.json' with { type: 'json' }

const shipped = readModel(stored)

/** Judges whether a text is content for agents. Pure; never throws; time linear in the text, of which the first 120 000 characters are read. */
export const inspect = (text: string): Verdict => judge(text, shipped)
