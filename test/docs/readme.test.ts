import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandsBeside } from '../command-line.ts'
import { startService } from '../start-service.ts'
import { readBlocks } from './blocks.ts'

const ROOT = join(import.meta.dir, '../..')
const page = await Bun.file(join(ROOT, 'README.md')).text()

test('the example request finds a record of the example team', async () => {
  const { service, post } = await startService()
  await commandsBeside(service).json('import', join(ROOT, 'examples/team.jsonl'), '--project', 'default')
  const [, message = ''] = /-d '(\{.*\})'/.exec(page) ?? []
  const { status, body } = await post(message)
  expect(status).toBe(200)
  expect(body?.result).toMatchObject({
    isError: false,
    structuredContent: { result: expect.arrayContaining([expect.objectContaining({ status: 'unverified' })]) },
  })
})

test('every tool is called as the table says', async () => {
  const { call } = await startService()
  const examples = [...page.matchAll(/^\| `(\w+)` \|.*\| `(\{.*\})` \|$/gm)].map(([, name = '', args = '']) => ({
    name,
    args: JSON.parse(args),
  }))
  expect(examples.map(({ name }) => name).sort()).toEqual([
    'forget',
    'gateway_call',
    'remember',
    'search',
    'validate_memory',
  ])
  for (const { name, args } of examples) {
    const called = await call(name, args)
    if (name === 'gateway_call') expect(called).toBeToolError("no integration 'github' is enabled for this project")
    else expect(called).toMatchObject({ isError: false })
  }
})

test('what is to be pasted is well-formed', async () => {
  const clients = await Bun.file(join(ROOT, 'docs/clients.md')).text()
  const pasted = readBlocks(clients).filter(({ language }) => language === 'json')
  expect(pasted).not.toBeEmpty()
  for (const { text } of pasted) expect(JSON.parse(text)).toBeObject()
})

test('every page it points to is there', () => {
  const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  expect(links).not.toBeEmpty()
  expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
