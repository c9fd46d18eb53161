import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { PLANS } from '../../src/account/limits/plan.ts'
import { commandsBeside } from '../command-line.ts'
import { startService } from '../start-service.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/organizations.md')).text()

/** Stands on the page for the characters that lists show of the key issued last. */
const SHOWN = '4fQz81Lm'

const lines = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) => block.trim().split('\n'))
const toWords = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

test('every command on the page does what it is asked, in the order of the page', async () => {
  const { service } = await startService()
  const { memsvc } = commandsBeside(service)
  let shown = SHOWN
  for (const line of lines) {
    const [program, ...words] = toWords(line.replaceAll(SHOWN, shown))
    expect(program).toBe('memsvc')
    expect({ line, ...(await memsvc(...words)) }).toMatchObject({ line, status: 0, err: '' })
    const keys = await service.store.control.listKeys((await service.store.control.findProjects('default'))[0]?.id ?? '')
    shown = keys.at(-1)?.shown ?? shown
  }
  expect(lines.length).toBeGreaterThan(30)
})

test('the page has the numbers of every plan', () => {
  const rows = [...page.matchAll(/^\| (?:calls|records|content|workspaces|session).*$/gm)].map(([row]) =>
    row.split('|').slice(2, -1).map(toNumber),
  )
  const plans = ['free', 'team', 'business', 'self-hosted'].map((name) => Object.values(PLANS[name] ?? {}))
  expect(rows).toEqual([0, 1, 2, 3, 4, 5].map((at) => plans.map((numbers) => numbers[at] ?? 0)))
})

function toNumber(cell: string): number {
  const [, digits = '', unit = ''] = /^ ([\d ]+?) ?(MiB|GiB|TiB)? $/.exec(cell) ?? []
  const factors: Record<string, number> = { MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }
  return Number(digits.replaceAll(' ', '')) * (factors[unit] ?? 1)
}
