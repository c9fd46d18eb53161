import { expect, test } from 'bun:test'
import { findSessions } from '../../../src/history/find/find-sessions.ts'
import { indexUploaded } from '../../../src/history/index/index-histories.ts'
import { startHistories } from '../start-histories.ts'
import { claudeLine } from '../upload-client.ts'

/** Words that one prompt has, by its number. */
const ANIMALS = new Map([
  [1, 'wombat'],
  [5, 'ocelot'],
  [11, 'capybara'],
  [12, 'lemur'],
])

/** A prompt of a thousand words that no other one has. */
const toLongPrompt = (number: number) =>
  `${ANIMALS.get(number)} ${Array.from({ length: 1_000 }, (_, at) => `${number}x${at}`).join(' ')}`

/** Pieces of work that indexing a dozen lines may take at most. */
const MAX_PIECES = 50

test('a session of prompts so long that few fit into a passage is indexed to its end, also when it goes on', async () => {
  const { service, client, actor, projectId } = await startHistories()
  const lines = Array.from({ length: 12 }, (_, at) => claudeLine(`u${at}`, toLongPrompt(at)))
  const head = await client.append(await client.head(), lines)
  let pieces = 0
  await indexUploaded(service, () => ++pieces > MAX_PIECES)
  await client.append(head, [claudeLine('u12', toLongPrompt(12))])
  await indexUploaded(service, () => ++pieces > MAX_PIECES)
  expect(pieces).toBeLessThan(MAX_PIECES)
  for (const [number, words] of ANIMALS) {
    const { found } = await findSessions(service, actor, { projectId, words, limit: 10 })
    // Another line may be shown as well: of each word of a line, the index keeps 16 bits.
    expect(found.flatMap(({ lines }) => lines.map(({ line }) => line))).toContain(number + 1)
  }
})
