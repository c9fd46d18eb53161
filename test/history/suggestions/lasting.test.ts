import { expect, test } from 'bun:test'
import { findQuotes, selectQuotes } from '../../../src/history/suggestions/quotes.ts'

/** What is suggested of a session in which a person typed these prompts. */
async function suggest(...prompts: string[]): Promise<string[]> {
  const quotes = await findQuotes(prompts.map((text, at) => ({ line: 2 * at, text })))
  return (await selectQuotes(quotes, { known: [], limit: 3 })).map(({ text }) => text)
}

test.each([
  ['Invoices always go out on the first working day, never on a weekend.'],
  ['No, we use tabs in this repository because the linter wants them.'],
  ['Rechnungen gehen bei uns immer am ersten Werktag raus, nie am Wochenende.'],
  ['Chez nous on écrit toujours les montants en chiffres et en lettres.'],
  ['Los pedidos de más de 50 kg van siempre con otra empresa.'],
])('a rule of the house is suggested: %s', async (rule) => {
  expect(await suggest('👍', rule)).toEqual([rule])
})

test.each([
  ['Add a filter so that only customers without open invoices are shown, the boss wants it.'],
  ['The second test fails because the mock does not return all the headers.'],
  ['For now we only use the small cluster, never the large one.'],
  ['Do we always use tabs in this repository, or only in this folder?'],
  ['Der Fehler kommt nur, wenn die Liste nicht geladen ist.'],
])('a task, a fault, a question or what is for now is not: %s', async (text) => {
  expect(await suggest('👍', text)).toEqual([])
})

test('the first prompt of a session gives it its task, so that more must speak for a rule in it', async () => {
  const prompts = [{ line: 1, text: 'No, we use tabs in this repository because the linter wants them.' }]
  expect([(await findQuotes(prompts)).length, (await findQuotes(prompts, true)).length]).toEqual([0, 1])
})

test('what a later prompt takes back is not suggested', async () => {
  const rule = 'Our invoices always have the date on top, never below.'
  expect(await suggest('Look at this.', rule)).toEqual([rule])
  expect(await suggest('Look at this.', rule, 'Scratch that, the date of invoices may be anywhere.')).toEqual([])
})

test('of more than three, those are suggested for which most speaks', async () => {
  const rules = [
    'We never ship on Fridays, because our customers are closed on Saturdays.',
    'From now on all our letters must have the address of the office.',
    'In this project every query has an index, without exception.',
  ]
  const weak = 'Only amounts in euros are shown on the second page of reports.'
  expect((await suggest('Look at this.', weak, ...rules)).sort()).toEqual(rules.sort())
})
