import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { CLIENTS } from '../../src/agent/clients/clients.ts'
import { HOOK_EVENTS } from '../../src/agent/clients/hooks.ts'
import { OWN_TOOL_ENTRY } from '../../src/agent/relay/own-answer.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/local-agent.md')).text()

test('the page names every field of memsvc_sync_status', () => {
  const { outputSchema } = JSON.parse(OWN_TOOL_ENTRY) as { outputSchema: { properties: Record<string, unknown> } }
  const section = page.slice(page.indexOf('## `memsvc_sync_status`'))
  expect(Object.keys(outputSchema.properties).filter((field) => !section.includes(`\`${field}\``))).toEqual([])
})

test('what is to be pasted is well-formed', () => {
  const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks).not.toBeEmpty()
  for (const block of blocks) expect(JSON.parse(block)).toMatchObject({ mcpServers: { memsvc: { args: ['agent'] } } })
})

test('the page has every event of a session, with the name of it in each client that has hooks', () => {
  const [, ...names] = /^\| event \| what happens \| (.*) \|$/m.exec(page)?.[0]?.split(' | ').slice(1) ?? []
  const clients = names.map((name) => CLIENTS.find((client) => client.name === name.replace(' |', '')))
  expect(clients.map((client) => client?.id).sort()).toEqual(
    CLIENTS.filter(({ hooks }) => hooks !== undefined)
      .map(({ id }) => id)
      .sort(),
  )
  const rows = [...page.matchAll(/^\| `((?:session|user)-\w+)` \| [^|]* \| (.*) \|$/gm)].map(
    ([, event, cells = '']) => [event, ...cells.split(' | ').map((cell) => /`(\w+)`/.exec(cell)?.[1])],
  )
  expect(rows).toEqual(HOOK_EVENTS.map((event) => [event, ...clients.map((client) => client?.hooks?.names[event])]))
})
