import type { Credential } from './credential-forms.ts'
import { findVendorTokens } from './vendor-credentials.ts'

/** Stands between texts that are searched together. */
const SEPARATOR = '\n'

/**
 * The tokens of known vendors in each of many texts. Short ones are searched together, since every search costs as much as some kilobytes of text; where a form reaches
 * over the end of a text, each of them is searched again by itself, so that no result depends on the neighbours.
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
  if (group.length === 1 || all.length === 0) return group.map((_, nth) => (nth === 0 ? all : []))
  let start = 0
  const spans = group.map((text) => {
    const span = { start, end: start + text.length }
    start = span.end + SEPARATOR.length
    return span
  })
  const isWithinOne = (one: Credential) => spans.some((span) => one.start >= span.start && one.end <= span.end)
  if (!all.every(isWithinOne)) return Promise.all(group.map((text) => findVendorTokens(text, windowLength)))
  return spans.map((span) =>
    all
      .filter((one) => one.start >= span.start && one.end <= span.end)
      .map(({ kind, start: from, end }) => ({ kind, start: from - span.start, end: end - span.start })),
  )
}
