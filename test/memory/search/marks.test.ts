import { expect, test } from 'bun:test'
import { bestPassage, findMarks } from '../../../src/memory/search/passage.ts'

test('marks what words hit, to the end of each word and apart from each other', () => {
  const marked = (text: string, ...words: string[]) =>
    findMarks(
      text,
      words.map((word) => ({ spellings: [word], weight: 1 })),
    ).map(({ start, end }) => text.slice(start, end))
  expect(marked('Deploys go to Łódź; we deployed there', 'deploy', 'lodz')).toEqual(['Deploys', 'Łódź', 'deployed'])
  expect(marked('part of art', 'art')).toEqual(['art'])
  expect(marked('部署到东京', '部署', '署到')).toEqual(['部署到'])
  expect(marked('nothing here', 'absent')).toEqual([])
})

test('the passage of a text in decomposed Unicode is the one that words hit', () => {
  const filler = 'Der schnelle Bär läuft über die Straße. '.repeat(20)
  for (const [hit, spelling] of [
    ['Die Brücke ist in Zürich.', 'zurich'],
    ['Офис открыт в Йошкар-Оле.', 'йошкар'],
    ['서버는 서울에 있습니다.', '서울'],
    ['サーバーはドイツにある。', 'ドイツ'],
  ] as const) {
    const text = `${filler}${hit} ${filler}`.normalize('NFD')
    expect(bestPassage(text, 100, [{ spellings: [spelling], weight: 1 }])).toContain(hit)
  }
})
