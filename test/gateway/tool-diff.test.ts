import { expect, test } from 'bun:test'
import { type DiffLine, toToolDiffs } from '../../src/gateway/tool-diff.ts'
import type { UpstreamTool } from '../../src/store/integration.ts'

const GAP: DiffLine = { kind: 'gap', text: '…' }

/** A tool whose schemas take some thirty lines. */
function describe(changed: Partial<UpstreamTool>): UpstreamTool {
  const names = ['a', 'b', 'c', 'd', 'e']
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  return {
    name: 'find',
    title: 'Find',
    description: 'Finds pages.',
    readOnly: true,
    mirrored: false,
    inputSchema: { type: 'object', properties },
    ...changed,
  }
}

const diff = async (before: UpstreamTool | undefined, after: UpstreamTool) =>
  (await toToolDiffs([{ before, after }])).flat()

test('unchanged lines behind the last change are shown as left out', async () => {
  const lines = await diff(describe({}), describe({ description: 'Finds all pages.' }))
  expect(lines[0]).toEqual({ kind: 'same', text: 'title: Find' })
  expect(lines.at(-1)).toEqual(GAP)
})

test('unchanged lines before the first change are shown as left out', async () => {
  const lines = await diff(describe({}), describe({ outputSchema: { type: 'object' } }))
  expect(lines[0]).toEqual(GAP)
  expect(lines.at(-1)).toEqual({ kind: 'added', text: '}' })
})

test('nothing of a new tool is left out', async () => {
  expect(await diff(undefined, describe({}))).not.toContainEqual(GAP)
})

/** A tool of so many pairs of lines, of which the first is this word. */
const ofPairs = (count: number, word: string) =>
  describe({ description: Array.from({ length: count }, (_, at) => `${word} ${at}\nstays ${at}`).join('\n') })

test('what stayed is found between 400 lines that were removed and added; beyond, all of it is shown as removed and added', async () => {
  const countSame = async (count: number) =>
    (await diff(ofPairs(count, 'before'), ofPairs(count, 'after'))).filter(
      ({ kind, text }) => kind === 'same' && text.startsWith('stays'),
    ).length
  expect([await countSame(200), await countSame(201)]).toEqual([200, 0])
})
