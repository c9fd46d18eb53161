import type { Credential } from './credential-forms.ts'
import { findVendorTokens } from './vendor-credentials.ts'

/** Stands between texts that are searched together. */
const SEPARATOR = '\n'

/**
 * The tokens of known vendors in each of many texts. Short texts are searched together, since every search costs as much as some kilobytes of text; if a
 * match spans the end of a text, each of them is searched again separately, so that no result depends on its neighbours.
 */
export async function findVendorTokensInAll(texts: string[], windowLength: number): Promise<Credential[][]> {
  const found: Credential[][] = []
  for (const group of toGroups(texts, windowLength)) found.push(...(await findInGroup(group, windowLength)))
  return found
}

/** Neighbouring texts that fit into a window together; a longer one is alone. */
function toGroups(texts: string[], windowLength: number): string[][] {
  const groups: string[][] = []
  let room = 0
  for (const text of texts) {
    const last = groups.at(-1)
    const needed = text.length + SEPARATOR.length
    if (last === undefined || needed > room) {
      groups.push([text])
      room = windowLength - needed
    } else {
      last.push(text)
      room -= needed
    }
  }
  return groups
}

async function findInGroup(group: string[], windowLength: number): Promise<Credential[][]> {
  const all = await findVendorTokens(group.join(SEPARATOR), windowLength)
  if (group.length === 1) return [all]
  return toEach(group, all) ?? Promise.all(group.map((text) => findVendorTokens(text, windowLength)))
}

/** What was found in joined texts, by text; undefined where something reaches over the end of one. */
function toEach(group: string[], all: Credential[]): Credential[][] | undefined {
  const sorted = all.toSorted((a, b) => a.start - b.start)
  const found: Credential[][] = []
  let start = 0
  let next = 0
  for (const text of group) {
    const own: Credential[] = []
    const end = start + text.length
    for (let one = sorted[next]; one !== undefined && one.start <= end; one = sorted[++next]) {
      if (one.end > end) return undefined
      own.push({ kind: one.kind, start: one.start - start, end: one.end - start })
    }
    found.push(own)
    start = end + SEPARATOR.length
  }
  return found
}
