import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSettingsFile } from '../../src/config/file.ts'
import { AGENT_VARIABLES, KNOWN_VARIABLES, SETTINGS, type Setting } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { makeFolder } from '../run-cli.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/configuration.md')).text()

const rows = [...page.matchAll(/^\| `(SVC_\w+)` \| (.*) \| (.*) \|$/gm)].map(([, ...cells]) => cells)

test('the page lists every setting as the program has it, in its order', () => {
  const inCode = Object.values(SETTINGS).map(({ variable, meaning, preset }: Setting<unknown>) => [
    variable,
    meaning,
    preset === undefined ? 'none' : `\`${preset}\``,
  ])
  expect(rows).toEqual(inCode)
})

test('the page names every variable of the agent, and none that there is not', () => {
  const named = new Set([...page.matchAll(/`(SVC_\w+)`/g)].map(([, name = '']) => name))
  expect(AGENT_VARIABLES.filter((name) => !named.has(name))).toEqual([])
  expect([...named].filter((name) => !KNOWN_VARIABLES.includes(name) && name !== 'SVC_')).toEqual([])
})

test('its example of a file is read as it stands', async () => {
  const folder = await makeFolder()
  const [, example = ''] = /```toml\n(.*?)```/s.exec(page) ?? []
  const key = join(folder, 'key')
  writeFileSync(key, 'ab'.repeat(32))
  const file = join(folder, 'memsvc.toml')
  writeFileSync(file, example.replace('/run/secrets/memsvc-key', key))
  const { texts, origins, faults } = await readSettingsFile(file)
  expect(readConfig(texts, origins, faults)).toMatchObject({
    trashDays: 90,
    publicUrl: 'https://memory.example',
    port: 8787,
  })
})
