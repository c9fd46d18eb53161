import { describe, expect, test } from 'bun:test'
import { NOW, type Suite } from './context.ts'

/** Questions that no record answered. */
export function describeQuestions(suite: Suite): void {
  describe('questions', () => {
    const question = (id: string, asked = 1, at = NOW) => ({ id, text: `text of ${id}`, asked, at })
    const list = async (page = { offset: 0, limit: 9 }) =>
      (await suite.store.project('p1').listQuestions(page)).map(({ id, asked, at }) => [id, asked, at - NOW])

    test('a question is counted each time, and listed by how often and when it was asked, in its project alone', async () => {
      const project = suite.store.project('p1')
      await project.write((tx) => tx.addQuestions([question('a'), question('b'), question('c', 1, NOW + 1)], 9))
      await project.write((tx) => tx.addQuestions([question('b', 2, NOW + 2)], 9))
      expect(await list()).toEqual([
        ['b', 3, 2],
        ['c', 1, 1],
        ['a', 1, 0],
      ])
      expect(await list({ offset: 1, limit: 1 })).toEqual([['c', 1, 1]])
      expect(await project.countQuestions()).toBe(3)
      expect(await suite.store.project('p2').countQuestions()).toBe(0)
      expect(await suite.store.project('p2').findQuestion('a')).toBeUndefined()
    })

    test('of more than are kept, those least often and longest ago asked are erased', async () => {
      const project = suite.store.project('p1')
      await project.write((tx) => tx.addQuestions([question('a', 2), question('b'), question('c', 1, NOW + 1)], 2))
      expect(await list()).toEqual([
        ['a', 2, 0],
        ['c', 1, 1],
      ])
    })

    test('a dismissed one has no text, and does not return until it is erased for its age', async () => {
      const project = suite.store.project('p1')
      await project.write(async (tx) => {
        await tx.addQuestions([question('a'), question('b', 1, NOW + 5)], 9)
        await tx.dismissQuestion('a', NOW + 1)
        await tx.addQuestions([question('a', 1, NOW + 9)], 9)
      })
      expect(await project.findQuestion('a')).toEqual({ id: 'a', text: null, asked: 1, at: NOW + 1 })
      expect([await list(), await project.countQuestions()]).toEqual([[['b', 1, 5]], 1])
      await project.write((tx) => tx.deleteQuestions({ before: NOW + 2 }))
      await project.write((tx) => tx.addQuestions([question('a')], 9))
      expect(await project.countQuestions()).toBe(2)
      await project.write((tx) => tx.deleteQuestions({ id: 'a' }))
      expect(await list()).toEqual([['b', 1, 5]])
      await project.write((tx) => tx.deleteQuestions('all'))
      expect(await list()).toEqual([])
    })
  })
}
