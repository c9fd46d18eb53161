import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { PLANS } from '../../src/account/limits/plan.ts'
import { ROLES } from '../../src/account/organizations/names.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/organizations.md')).text()

test('the page has the numbers of every plan', () => {
  const rows = [...page.matchAll(/^\| (?:calls|records|content|workspaces|session).*$/gm)].map(([row]) =>
    row.split('|').slice(2, -1).map(toNumber),
  )
  const plans = (/^\| \| (`free`.*) \|$/m.exec(page)?.[1]?.split(' | ') ?? []).map((name) =>
    Object.values(PLANS[name.replaceAll('`', '')] ?? {}),
  )
  expect(plans).toHaveLength(Object.keys(PLANS).length)
  expect(rows).toEqual([0, 1, 2, 3, 4, 5].map((at) => plans.map((numbers) => numbers[at] ?? 0)))
})

test('the page names every role', () => {
  const [, roles = ''] = /^\| member \| .*role \(([^)]*)\)/m.exec(page) ?? []
  expect(roles.replaceAll('`', '').split(', ')).toEqual([...ROLES])
})

function toNumber(cell: string): number {
  const [, digits = '', unit = ''] = /^ ([\d ]+?) ?(MiB|GiB|TiB)? $/.exec(cell) ?? []
  const factors: Record<string, number> = { MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }
  return Number(digits.replaceAll(' ', '')) * (factors[unit] ?? 1)
}
