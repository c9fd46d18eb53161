import { afterAll, beforeAll, test } from 'bun:test'
import fc from 'fast-check'
import { createCalls, makeOrganizations, type Plan } from '../builders/planned-organizations.ts'
import { openTestService } from '../start-service.ts'
import { expectAnswer } from './expect-answer.ts'
import { correction, everyQuestion } from './steps.ts'

let running: Awaited<ReturnType<typeof openTestService>>
beforeAll(async () => {
  running = await openTestService()
})
afterAll(() => running.stop())

const RUNS = 40
/** After this time the search for a smaller failing example ends. */
const MAX_RUN_MS = 60_000
/** Seven keys of one project: of three members, and service keys. */
const plan: Plan = {
  departments: [0, 0, 1, undefined, undefined, undefined],
  keys: [0, 1, 2, 3, 0, 1, 3].map((holder) => ({ project: 0, holder })),
}
const steps = fc.array(correction, { minLength: 1, maxLength: 40, size: 'max' })

test('whatever is saved, corrected, verified, forgotten and restored by whomever, of each fact one statement holds or a conflict is named', async () => {
  const { service, pass } = running
  const call = createCalls(service)
  const property = fc.asyncProperty(steps, async (acts) => {
    const { departments, people } = await makeOrganizations(service, plan)
    const world = { service, call, pass, people, departments, model: { records: [], saves: [] } }
    for (const act of acts) await expectAnswer(world, act)
    for (const question of everyQuestion()) if (question.who === 0) await expectAnswer(world, question)
  })
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: MAX_RUN_MS })
})
