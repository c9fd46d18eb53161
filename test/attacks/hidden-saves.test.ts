import { expect, test } from 'bun:test'
import { startTeam } from '../http/console/team.ts'

test('an export tells nothing of how often others saved sources of theirs', async () => {
  const { save, get, at } = await startTeam()
  const state = (source: string) => ({ source_id: source, source_hash: 'a state' })
  await save('The first', state('docs/first.md'))
  for (let nth = 0; nth < 3; nth++)
    for (const source of ['docs/first.md', 'ben/own.md'])
      await save(`A draft ${nth}`, { ...state(source), scope: 'draft' }, 'ben')
  await save('The second', state('docs/second.md'))
  const lines = (await get(`${at}/export`)).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(
    lines.map(({ content, source_save_sequence, created_at }) => [
      content,
      source_save_sequence - Date.parse(created_at),
    ]),
  ).toEqual([
    ['The first', 0],
    ['The second', 0],
  ])
})

test('the order of sources does not tell into which workspaces others saved before', async () => {
  const { save, get, at } = await startTeam()
  await save('A draft', { workspace: 'zoo', scope: 'draft', source_id: 'ben/own.md' }, 'ben')
  for (const workspace of ['alpha', 'zoo'])
    await save(`A note in ${workspace}`, { workspace, source_id: 'docs/same.md' })
  for (const page of ['sources', 'overview']) {
    const links = (await get(`${at}/${page}`)).text.matchAll(/href="[^"]*records\?([^"]*)"/g)
    const asked = [...links].map(([, query = '']) => new URLSearchParams(query.replaceAll('&amp;', '&')))
    const workspaces = asked
      .filter((query) => query.get('source') === 'docs/same.md')
      .map((query) => query.get('workspace'))
    expect([page, workspaces]).toEqual([page, ['alpha', 'zoo']])
  }
})
