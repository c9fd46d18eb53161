import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { PLANS } from '../../src/account/limits/plan.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/organizations.md')).text()

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
