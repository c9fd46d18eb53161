import { expect, test } from 'bun:test'
import { toComparableContent, toComparableKey } from '../../src/text/comparable.ts'

test('contents are the same but for outer blanks, runs of blanks and a final full stop', () => {
  const same = ['VAT is 19 percent', ' VAT is  19\npercent.\n', 'VAT is 19 percent .', '\tVAT is 19 percent。']
  expect(new Set(same.map(toComparableContent))).toEqual(new Set(['VAT is 19 percent']))
  for (const other of ['VAT is 19 percent!', 'vat is 19 percent', 'VAT is 19percent']) {
    expect(toComparableContent(other)).not.toBe('VAT is 19 percent')
  }
})

test('fact keys are the same after NFKC, trimming and case folding', () => {
  for (const key of ['straße.nummer', ' STRASSE.Nummer ', 'Straße.ｎummer', 'STRAẞE.NUMMER'])
    expect(toComparableKey(key)).toBe('strasse.nummer')
  expect(toComparableKey('ΟΔΟΣ')).toBe(toComparableKey('οδός'.replace('ό', 'ο')))
  expect(toComparableKey('ısı')).not.toBe(toComparableKey('isi'))
  expect(toComparableKey('größe')).toBe('grösse')
})
