import { expect, test } from 'bun:test'
import { keepQuestions } from '../../../../src/memory/questions/keep-questions.ts'
import { commandsBeside } from '../../../command-line.ts'
import { startOrganization } from '../organization.ts'

/** An organization whose owner has switched on that questions without an answer are kept. */
async function startKeeping() {
  const running = await startOrganization()
  const { at, post, call, service } = running
  const page = `${at}/calls/unanswered`
  await post(`${page}/switch`, { keep: 'yes' })
  await call('remember', { content: 'Releases go out on Tuesdays.' })
  const ask = async (query: string) => {
    const { text } = await call('search', { query })
    await keepQuestions(service)
    return text
  }
  const idOf = (text: string) => /unanswered\/([0-9a-f]{64})"/.exec(text)?.[1] ?? ''
  return { ...running, page, ask, idOf }
}

test('an owner switches it on, told what will be kept, and off, which erases; others read that it is off', async () => {
  const { at, get, post, asMember, asAdmin, asStranger, call, service, project } = await startOrganization()
  const page = `${at}/calls/unanswered`
  expect((await get(`${at}/calls`)).text).toContain(`<a href="${page}">Unanswered</a>`)
  const { text } = await get(page)
  for (const told of ['1,000 questions', '200 characters', '30 days', 'Credentials are masked', 'no names are kept'])
    expect(text).toContain(told)
  expect((await asMember.get(page)).text).toContain('An owner can switch that on here.')
  expect((await asStranger.get(page)).status).toBe(404)
  for (const other of [asMember, asAdmin])
    expect((await other.post(`${page}/switch`, { keep: 'yes' })).text).toContain('Only an owner of the account')
  await post(`${page}/switch`, { keep: 'yes' })
  await call('search', { query: 'who owns billing' })
  await keepQuestions(service)
  const read = (await asMember.get(page)).text
  expect(read).toContain('who owns billing')
  expect(read).toContain('Everybody to whom the project is open can read them.')
  expect(read).not.toContain('Stop keeping them')
  await post(`${page}/switch`, { keep: 'no' })
  expect((await get(page)).text).not.toContain('who owns billing')
  // Sent once more, it changes nothing, and the log says nothing.
  await post(`${page}/switch`, { keep: 'no' })
  const acts = await service.store.control.listAudit({ projectId: project.id, act: 'project.questions', limit: 9 })
  expect(acts.map(({ details }) => details)).toEqual([
    { from: 'kept', to: 'not kept' },
    { from: 'not kept', to: 'kept' },
  ])
})

test('who reviews links a question to the right note, and it is found by it', async () => {
  const { page, asMember, ask, idOf } = await startKeeping()
  expect(await ask('deployment weekday')).not.toContain('Tuesdays')
  const id = idOf((await asMember.get(page)).text)
  const { text } = await asMember.get(`${page}/${id}?q=releases`)
  const record = /name="record" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const { place } = await asMember.post(`${page}/${id}/link`, { record })
  expect((await asMember.get(place ?? '')).text).toContain('No unanswered questions.')
  expect(await ask('deployment weekday')).toContain('Tuesdays')
})

test('who reviews writes the missing record, with the question as a phrase, or dismisses the question', async () => {
  const { at, page, asMember, ask, idOf } = await startKeeping()
  await ask('who owns billing')
  const id = idOf((await asMember.get(page)).text)
  const form = await asMember.get(`${at}/records/new?question=${id}`)
  expect(form.text).toMatch(/name="asked_as"[^>]*>\s*who owns billing</)
  const written = { content: 'Olga answers for invoices.', scope: 'shared', asked_as: 'who owns billing', question: id }
  const refused = await asMember.post(`${at}/records/new`, { ...written, content: '' })
  expect(refused.text).toContain(`name="question" value="${id}"`)
  await asMember.post(`${at}/records/new`, written)
  expect((await asMember.get(page)).text).toContain('No unanswered questions.')
  expect(await ask('who owns billing')).toContain('Olga')
  await ask('vault door')
  await asMember.post(`${page}/dismiss`, { question: idOf((await asMember.get(page)).text) })
  await ask('vault door')
  expect((await asMember.get(page)).text).toContain('No unanswered questions.')
})

test('a command prints them, and says where they are switched on', async () => {
  const { service, project, page, ask, post } = await startKeeping()
  await ask('who owns billing')
  const { json, memsvc } = commandsBeside(service)
  expect(await json<object[]>('calls', '--project', project.name, '--unanswered')).toEqual([
    { question: 'who owns billing', asked: 1, at: new Date(service.clock.now()).toISOString() },
  ])
  expect((await memsvc('calls', '--project', project.name, '--unanswered')).out).toContain('who owns billing')
  await post(`${page}/switch`, { keep: 'no' })
  expect((await memsvc('calls', '--project', project.name, '--unanswered')).err).toContain('keeps no questions')
})
