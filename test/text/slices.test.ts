import { expect, test } from 'bun:test'
import { analyze, analyzeInSlices } from '../../src/text/analyzer.ts'

import { HOSTILE_TEXTS } from '../hostile-texts.ts'

test('analyzes a text in slices to the same as at once, for several texts at a time', async () => {
  const texts = [...HOSTILE_TEXTS, ...HOSTILE_TEXTS.toReversed()]
  expect(await Promise.all(texts.map(analyzeInSlices))).toEqual(texts.map(analyze))
})
