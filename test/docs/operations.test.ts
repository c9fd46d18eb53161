import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SETTINGS } from '../../src/config/settings.ts'
import { commandsBeside } from '../command-line.ts'
import { readMetricLabels } from '../metric-labels.ts'
import { startService } from '../start-service.ts'

const ROOT = join(import.meta.dir, '../..')
const PAGE = join(ROOT, 'docs/operations.md')
const page = await Bun.file(PAGE).text()
const code = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)

test('every metric that the page names is one of the service', async () => {
  const known = [...(await readMetricLabels()).keys()]
  const named = code.filter((text) => /^memsvc_\w+$/.test(text))
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('every setting, every page and every file that the page names is there', () => {
  const settings = [...page.matchAll(/\bSVC_[A-Z_]+/g)].map(([name]) => name.replace(/_FILE$/, ''))
  const known: string[] = Object.values(SETTINGS).map(({ variable }) => variable)
  expect(settings.filter((name) => !known.includes(name))).toEqual([])
  const paths = [...page.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = '']) => join(dirname(PAGE), path))
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
  const files = [...page.matchAll(/\b(?:deploy|bench)\/[\w.-]+/g)].map(([path]) => path)
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('every command that the page names is one of the program', async () => {
  const { service } = await startService()
  const { memsvc } = commandsBeside(service)
  const lines = [...page.matchAll(/(?:^|`|memsvc )memsvc ((?!-)[a-z][^`#\n]*)/gm)].map(([, words = '']) =>
    words.trim().split(' '),
  )
  expect(lines.length).toBeGreaterThan(10)
  const wrong: string[] = []
  for (const words of lines) {
    const names = words.filter((word, i) => i < 2 && /^[a-z]+$/.test(word))
    const { status } = await memsvc(...names, '--help')
    if (status !== 0) wrong.push(words.join(' '))
  }
  expect(wrong).toEqual([])
})
