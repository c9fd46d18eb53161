import { expect, test } from 'bun:test'
import { analyze } from '../../../src/text/analyzer.ts'
import { termBits, termOf } from '../../../src/text/token-codes.ts'
import { startService } from '../../start-service.ts'

const [one, other] = findPair()

/** Two made-up words whose terms have the same code. */
function findPair(): [string, string] {
  const seen = new Map<number, string>()
  for (let at = 0; ; at++) {
    const word = at
      .toString(16)
      .replaceAll(
        /./g,
        (digit) => 'ba be bi bo da de di do ga ge gi go la le li lo'.split(' ')[Number.parseInt(digit, 16)] ?? '',
      )
    const { terms } = analyze(word)
    const code = termBits(terms)
    const known = seen.get(code)
    if (known !== undefined && analyze(known).terms !== terms) return [known, word]
    seen.set(code, word)
  }
}

/** A project in which Ana sees so many notes of her own, and none of those that are hidden. */
async function openNotes(records: number, hidden: number) {
  const { org, as } = await startService()
  const members = await org.addMembers({ ana: {}, ben: {} })
  const [ana, ben] = [as(await org.keyOf(members.ana)), as(await org.keyOf(members.ben))]
  const draft = (caller: typeof ana, content: string) => caller.call('remember', { content, scope: 'draft' })
  for (let at = 0; at < hidden; at++) await draft(ben, `note ${at} of Ben`)
  for (let at = 0; at < records; at++) await draft(ana, `note ${at} of Ana`)
  return {
    save: (content: string) => draft(ana, content),
    find: async (query: string) => {
      const { structured = {} } = await ana.call('search', { query })
      return (structured.result as { content: string }[]).map(({ content }) => content)
    },
  }
}

for (const [size, records, hidden] of [
  ['held in memory', 10, 0],
  ['asked through its index', 100, 0],
  ['of which little may be seen', 10, 200],
] as const) {
  test(`a word is not taken for another with the same code, in a project ${size}`, async () => {
    expect(termOf(analyze(one).codes[0] ?? 0)).toBe(termOf(analyze(other).codes[0] ?? 1))
    const { save, find } = await openNotes(records, hidden)
    await save(`the ${one} is green`)
    await save(`the ${other} is blue`)
    expect(await find(one)).toEqual([`the ${one} is green`])
    if (hidden === 0) expect(await find(`${one} blue`)).toEqual([`the ${one} is green`, `the ${other} is blue`])
    expect(await find(`where is ${other}`)).toEqual([`the ${other} is blue`])
  })

  test(`an unknown word is not corrected to one that only a code seems to find, in a project ${size}`, async () => {
    const { save, find } = await openNotes(records, hidden)
    await save(`the ${other} is blue`)
    await save('the fern is blue')
    const mistyped = `x${one.slice(1)}`
    expect(await find(`${mistyped} blue`)).toEqual(['the fern is blue', `the ${other} is blue`])
  })
}
