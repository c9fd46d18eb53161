import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { OWN_TOOL_ENTRY } from '../../src/agent/relay/own-tool.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/local-agent.md')).text()

test('the page names every field of memsvc_sync_status', () => {
  const { outputSchema } = JSON.parse(OWN_TOOL_ENTRY) as { outputSchema: { properties: Record<string, unknown> } }
  const section = page.slice(page.indexOf('## `memsvc_sync_status`'), page.indexOf('## Measured'))
  expect(Object.keys(outputSchema.properties).filter((field) => !section.includes(`\`${field}\``))).toEqual([])
})

test('what is to be pasted is well-formed', () => {
  const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks).not.toBeEmpty()
  for (const block of blocks) expect(JSON.parse(block)).toMatchObject({ mcpServers: { memsvc: { args: ['agent'] } } })
})
