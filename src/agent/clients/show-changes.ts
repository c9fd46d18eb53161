import { createTwoFilesPatch } from 'diff'
import { shownOf } from '../../secrets/key.ts'
import type { Change } from './change.ts'

const KEY = /svc_[0-9A-Za-z]{36}/g

/** A change of a file as a unified diff, with keys masked. */
export function toDiff({ file, before, after }: Change): string {
  const [from, to] = [before === undefined ? '/dev/null' : file, after === undefined ? '/dev/null' : file]
  const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, { context: 3 })
  return maskKeys(patch.replace(/^(Index: .*\n)?=+\n/, ''))
}

/** A text in which only the first characters of each key are left. */
export function maskKeys(text: string): string {
  return text.replace(KEY, (key) => `svc_${shownOf(key)}…`)
}

/** Whether a text contains a key. */
export function hasKey(text: string): boolean {
  return text.search(KEY) >= 0
}
