import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Project } from '../../src/store/account.ts'
import {
  createCalls,
  MEMBERS_EACH,
  makeOrganizations,
  type Person,
  type Plan,
} from '../builders/planned-organizations.ts'
import { insertRecords } from '../builders/records.ts'
import { openTestService } from '../start-service.ts'
import { sees, toModelRecord } from './model.ts'
import { narrowQuestion, question } from './search/questions.ts'
import { department, everyQuestion, type Step, step } from './steps.ts'

let running: Awaited<ReturnType<typeof openTestService>>
beforeAll(async () => {
  running = await openTestService()
})
afterAll(() => running.stop())

/** Every member of the first account holds a key of its first project and one of its second. */
const holders = [...Array(MEMBERS_EACH).keys()]
const twins: Plan['keys'] = [0, 1].flatMap((project) => holders.map((holder) => ({ project, holder })))
const plan = fc.array(department, { minLength: MEMBERS_EACH, maxLength: MEMBERS_EACH })
const RUNS = 60
/** After this time the search for a smaller failing example ends. */
const MAX_RUN_MS = 90_000
/** Enough other records that the index of the store is asked and not only memory. */
const FILLERS = Array.from({ length: 70 }, (_, at) => ({ content: `filler number ${at}` }))
const [OBSERVER] = holders as [number]

/**
 * Replaces the id of each record by the number of the step that saved it, so that the answers of two projects can be
 * compared.
 */
function createNames() {
  const names = new Map<string, string>()
  return {
    add: (id: string, name: string) => void names.set(id, names.get(id) ?? name),
    replace: (text: string) => [...names].reduce((said, [id, name]) => said.replaceAll(id, name), text),
    find: (name: string) => [...names].find(([, other]) => other === name)?.[0] ?? name,
  }
}

test('answers an observer the same, word for word, whether what they may not see was saved or not', async () => {
  const { service } = running
  const call = createCalls(service)

  /** Does the steps in one of the twins; returns what the observer was answered. */
  async function play(
    project: Project,
    people: Person[],
    steps: Step[],
    isLeftOut: (person: Person, step: Step) => boolean,
  ): Promise<string[]> {
    const names = createNames()
    for (const { id, content } of await service.store.project(project.id).listRecords({ visible: undefined }))
      names.add(id, content)
    const heard: string[] = []
    for (const [at, act] of steps.entries()) {
      const who = act.who % MEMBERS_EACH
      const person = people[who] as Person
      if (!('args' in act) || isLeftOut(person, act)) continue
      const args = act.kind === 'forget id' ? { ...act.args, id: names.find(`step ${act.nth}`) } : act.args
      const { text } = await call(person, act.kind.startsWith('forget') ? 'forget' : act.kind, args)
      if (act.kind === 'remember' && text.startsWith('{')) names.add(JSON.parse(text).result.id, `step ${at}`)
      names.add(person.project, 'the project')
      if (who === OBSERVER) heard.push(names.replace(text))
    }
    return heard
  }

  const saved = fc.array(step, { minLength: 1, maxLength: 30, size: 'max' })
  const asked = fc.array(fc.oneof(question, narrowQuestion), { minLength: 20, maxLength: 20, size: 'max' })
  const property = fc.asyncProperty(
    plan,
    saved,
    asked,
    fc.boolean(),
    async (departments, acts, questions, isFilled) => {
      const all = { departments: [...departments, ...holders.map(() => undefined)], keys: twins }
      const { people, projects } = await makeOrganizations(service, all)
      const [first, second] = projects as [Project, Project]
      if (isFilled) for (const project of [first, second]) await insertRecords({ ...running, project }, FILLERS)
      const [here, there] = [people.slice(0, MEMBERS_EACH), people.slice(MEMBERS_EACH)]
      const searches = questions.map((args): Step => ({ kind: 'search', who: OBSERVER, args }))
      const steps = [...acts, ...[...everyQuestion()].filter(({ who }) => who === OBSERVER), ...searches]
      const observer = there[OBSERVER] as Person
      const hidden = (person: Person, act: Step) =>
        person !== observer && act.kind === 'remember' && !sees(observer, toModelRecord(person, act.args, 0, 0))
      expect(await play(first, here, steps, () => false)).toEqual(await play(second, there, steps, hidden))
    },
  )
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: MAX_RUN_MS })
})
