import { expect, test } from 'bun:test'
import { findMarks } from '../../../src/memory/search/passage.ts'

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
