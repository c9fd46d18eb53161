import { expect, test } from 'bun:test'
import { commandsBeside } from '../command-line.ts'
import { startService } from '../start-service.ts'

/** A running service with a second account, `Mill`, that has an owner and a department of its own. */
async function startTwo() {
  const running = await startService()
  const commands = commandsBeside(running.service)
  await commands.json('account', 'add', 'Mill', '--plan', 'team')
  await commands.json(
    'member',
    'add',
    '--account',
    'Mill',
    '--email',
    'mia@example.org',
    '--name',
    'Mia',
    '--role',
    'owner',
  )
  await commands.json('department', 'add', 'Stones', '--account', 'Mill')
  return { ...running, ...commands }
}

/** Everything the operator can see, to compare before and after. */
async function readAll({ json }: Awaited<ReturnType<typeof startTwo>>) {
  const of = (account: string) =>
    ['member', 'department'].map((noun) => json<object>(noun, 'list', '--account', account))
  return Promise.all([json<object>('account', 'list'), json<object>('audit'), ...of('default'), ...of('Mill')])
}

const REFUSED: [string, string[], string | RegExp][] = [
  [
    'an unknown plan',
    ['subscription', 'set', '--account', 'Mill', '--plan', 'gold'],
    "unknown plan 'gold'; known are free, team, business, self-hosted",
  ],
  [
    'an unknown plan of a new account',
    ['account', 'add', 'New', '--plan', 'constructor'],
    /^unknown plan 'constructor'/,
  ],
  [
    'a subscription that would have ended',
    ['subscription', 'set', '--account', 'Mill', '--plan', 'team', '--until', '2026-01-15'],
    'the end of a subscription must be in the future',
  ],
  [
    'a day that is none',
    ['subscription', 'set', '--account', 'Mill', '--until', '2026-02-30'],
    /^--until must be an ISO 8601 date or time/,
  ],
  [
    'a word for a date',
    ['subscription', 'end', '--account', 'Mill', '--at', 'tomorrow'],
    /^--at must be an ISO 8601 date or time/,
  ],
  [
    'a time without a zone',
    ['subscription', 'set', '--account', 'Mill', '--until', '2027-01-31T12:00'],
    /^--until must be an ISO 8601/,
  ],
  [
    'a negative override',
    ['account', 'limits', 'Mill', '--records', '-1'],
    "records must be a whole number from 1 on, or 'plan', not '-1'",
  ],
  [
    'a broken override',
    ['account', 'limits', 'Mill', '--calls-per-key', '1.5'],
    /^calls-per-key must be a whole number from 1 on/,
  ],
  ['an override of nothing', ['account', 'limits', 'Mill', '--content-bytes', '0'], /^content-bytes must be/],
  [
    'one bad override beside a good one',
    ['account', 'limits', 'Mill', '--records', '5', '--calls-per-project', '1e99'],
    /^calls-per-project/,
  ],
  ['an account that is not there', ['account', 'suspend', 'Nobody'], "no account 'Nobody'"],
  [
    'an account left out where there are two',
    ['department', 'add', 'New'],
    "there are 2 accounts; name one with --account: 'default', 'Mill'",
  ],
  ['a name in use', ['account', 'add', 'Mill'], "there is already an account 'Mill'"],
  ['another account’s name', ['account', 'rename', 'Mill', 'default'], "there is already an account 'default'"],
  ['an empty name', ['account', 'add', ' '], 'the account name must have 1 to 100 characters'],
  [
    'a department of another account',
    ['member', 'add', '--account', 'default', '--email', 'n@example.org', '--name', 'N', '--department', 'Stones'],
    "no department 'Stones' in account 'default'",
  ],
  [
    'a move to a department of another account',
    ['member', 'move', 'owner@localhost', '--department', 'Stones'],
    /^no department 'Stones'/,
  ],
  ['a move to nowhere', ['member', 'move', 'mia@example.org'], 'give one of --department and --none'],
  [
    'a member of an account twice',
    ['member', 'add', '--account', 'Mill', '--email', 'MIA@example.org', '--name', 'Mia'],
    "'mia@example.org' is already a member of the account",
  ],
  [
    'an address that is none',
    ['member', 'add', '--account', 'Mill', '--email', 'mia', '--name', 'Mia'],
    "'mia' is not an e-mail address",
  ],
  ['the removal of the last owner', ['member', 'remove', 'mia@example.org'], 'an account keeps at least one owner'],
  ['the last owner made less', ['member', 'role', 'mia@example.org', 'member'], 'an account keeps at least one owner'],
  [
    'a role that is none',
    ['member', 'role', 'mia@example.org', 'king'],
    "unknown role 'king'; known are owner, admin, member",
  ],
  [
    'a member of another account',
    ['member', 'remove', 'mia@example.org', '--account', 'default'],
    "no member 'mia@example.org'",
  ],
  [
    'a department that is there',
    ['department', 'add', 'Stones', '--account', 'Mill'],
    "there is already a department 'Stones'",
  ],
  [
    'a department that is not there',
    ['department', 'remove', 'Wheel', '--account', 'Mill'],
    "no department 'Wheel' in account 'Mill'",
  ],
]

for (const [what, words, reason] of REFUSED) {
  test(`refuses ${what}, and changes nothing`, async () => {
    const two = await startTwo()
    const before = await readAll(two)
    expect(await two.refusal(...words)).toMatch(reason)
    expect(await readAll(two)).toEqual(before)
  })
}

test('the holder of a key is a member of the account of its project, whoever else has the e-mail address', async () => {
  const { json, refusal } = await startTwo()
  const issue = ['key', 'issue', '--project', 'default', '--member']
  expect(await refusal(...issue, 'mia@example.org')).toBe("no member 'mia@example.org'")
  await json('member', 'add', '--account', 'default', '--email', 'mia@example.org', '--name', 'Mia')
  expect(await json(...issue, 'mia@example.org')).toMatchObject({ member: 'mia@example.org' })
})

test('a member is named by their name too, unless several have it or it could be an address', async () => {
  const { json, refusal } = await startTwo()
  const add = (account: string, email: string, name: string) =>
    json('member', 'add', '--account', account, '--email', email, '--name', name)
  expect(await json<object>('member', 'role', 'Mia', 'owner')).toMatchObject({ email: 'mia@example.org' })
  await add('Mill', 'ben@example.org', 'eve@example.org')
  expect(await refusal('member', 'role', 'eve@example.org', 'owner')).toBe("no member 'eve@example.org'")
  await add('default', 'mia@example.com', 'Mia')
  expect(await refusal('member', 'role', 'Mia', 'owner')).toBe(
    "several members are called 'Mia'; give the e-mail address or the id",
  )
  expect(await json<object>('member', 'role', 'Mia', 'admin', '--account', 'default')).toMatchObject({ role: 'admin' })
  await json('account', 'remove', 'Mill', '--confirm', 'Mill')
  expect(await json<object>('member', 'role', 'Mia', 'owner')).toMatchObject({ email: 'mia@example.com' })
})

test('takes no end of a subscription that never began', async () => {
  const { json, refusal } = await startTwo()
  await json('subscription', 'none', '--account', 'Mill')
  expect(await refusal('subscription', 'end', '--account', 'Mill')).toBe("account 'Mill' has no subscription to end")
})

test('counts the grace period from an end that has passed', async () => {
  const { json } = await startTwo()
  expect(await json('subscription', 'end', '--account', 'Mill', '--at', '2026-01-02')).toMatchObject({
    subscription: 'grace',
  })
  expect(await json('subscription', 'end', '--account', 'Mill', '--at', '2026-01-01')).toMatchObject({
    subscription: 'suspended',
  })
  expect(await json('subscription', 'end', '--account', 'Mill', '--at', '2026-02-01')).toMatchObject({
    subscription: 'active',
  })
})

test('keeps a department that has members, and one’s records for whoever joins it', async () => {
  const { json, refusal, as } = await startTwo()
  const of = ['--account', 'default']
  await json('department', 'add', 'Red', ...of)
  await json('department', 'add', 'Blue', ...of)
  await json('member', 'add', ...of, '--email', 'ann@example.org', '--name', 'Ann', '--department', 'Red')
  const { key } = await json<{ key: string }>('key', 'issue', '--project', 'default', '--member', 'ann@example.org')
  const { call } = as(key)
  await call('remember', { content: 'red paint dries slowly', scope: 'department' })
  expect(await refusal('department', 'remove', 'Red', ...of)).toBe("department 'Red' still has members")
  await json('member', 'move', 'ann@example.org', '--department', 'Blue')
  await call('remember', { content: 'blue paint' })
  expect((await call('search', { query: 'paint' })).structured?.result).toMatchObject([{ content: 'blue paint' }])
  await json('member', 'move', 'ann@example.org', '--department', 'Red')
  expect((await call('search', { query: 'red paint' })).structured?.result).toHaveLength(2)
  await json('member', 'move', 'ann@example.org', '--none')
  expect(await json<object[]>('department', 'list', ...of)).toMatchObject([
    { name: 'Blue', members: 0 },
    { name: 'Red', members: 0 },
  ])
  expect(await call('remember', { content: 'x', scope: 'department' })).toBeToolError(
    /^scope 'department' needs a department/,
  )
})

test('shows an account whole, and its limits with where they come from', async () => {
  const { json, memsvc } = await startTwo()
  await json('account', 'limits', 'Mill', '--records', '7')
  expect(await json('account', 'show', 'Mill')).toMatchObject({
    name: 'Mill',
    plan: 'team',
    subscription: 'active',
    suspended_at: null,
    limits: {
      calls_per_key: 300,
      calls_per_project: 1_000,
      records: 7,
      content_bytes: 256 * 2 ** 20,
      history_bytes: 8 * 2 ** 30,
    },
    overrides: { records: 7 },
  })
  expect((await memsvc('account', 'limits', 'Mill')).out).toMatch(/records +7 +own\n/)
  expect((await memsvc('account', 'show', 'Mill')).out).toMatch(/records +7 \(own\)\n/)
})

test('prints one JSON value with --json, and help for every command', async () => {
  const { memsvc } = await startTwo()
  for (const words of [
    'account list',
    'member list --account Mill',
    'department list --account Mill',
    'audit',
    'member invitations --account Mill',
  ]) {
    expect(JSON.parse((await memsvc(...words.split(' '), '--json')).out)).toBeArray()
  }
  const verbs = {
    account: 'add list show rename suspend resume limits',
    subscription: 'set end none',
    department: 'add list rename remove',
    member: 'add list move role remove invite invitations uninvite',
    key: 'issue list revoke rotate',
  }
  for (const [noun, all] of Object.entries(verbs)) {
    for (const verb of all.split(' ')) {
      const { status, out } = await memsvc(noun, verb, '--help')
      expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining(`Usage: memsvc ${noun} ${verb}`) })
    }
  }
  expect((await memsvc('member', 'add', '--role', 'king', '--email', 'a@b', '--name', 'A')).status).toBe(2)
})
