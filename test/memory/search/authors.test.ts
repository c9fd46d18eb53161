import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { issueKey } from '../../../src/account/keys/key.ts'
import { addMember } from '../../../src/account/organizations/member.ts'
import { startService } from '../../start-service.ts'

test('finds what somebody saved by the name that results show, of two with one name both, and of nobody else', async () => {
  const { service, account, project, as, call } = await startService()
  const holderOf = async (name: string, email: string) => {
    const member = await addMember(service, COMMAND_LINE, { account, email, name, role: 'member' })
    return { member, ...as((await issueKey(service, COMMAND_LINE, { project, member })).secret) }
  }
  const [first, second, gone] = [
    await holderOf('Ana Lima', 'ana@example.org'),
    await holderOf('Ana Lima', 'lima@example.org'),
    await holderOf('Ben', 'ben@example.org'),
  ]
  const robot = as((await issueKey(service, COMMAND_LINE, { project, label: 'nightly build' })).secret)
  await first.call('remember', { content: 'the lantern of the first Ana' })
  await second.call('remember', { content: 'the lantern of the second Ana' })
  await second.call('remember', { content: 'her hidden lantern', scope: 'draft' })
  await gone.call('remember', { content: 'the lantern of Ben' })
  await robot.call('remember', { content: 'the lantern of the build' })
  const find = async (author: string, query = '*') => {
    const { structured = {} } = await call('search', { query, author })
    return (structured.result as { content: string }[]).map(({ content }) => content).sort()
  }
  for (const query of ['*', 'lantern']) {
    expect(await find('Ana Lima', query)).toEqual(['the lantern of the first Ana', 'the lantern of the second Ana'])
    expect(await find('ana lima', query)).toEqual(await find('Ana Lima', query))
    expect(await find('nightly build', query)).toEqual(['the lantern of the build'])
    expect(await find('Ben', query)).toEqual(['the lantern of Ben'])
    expect(await find('former member', query)).toEqual([])
  }
  await service.store.control.write((tx) =>
    tx.update('members', { id: gone.member.id }, { removedAt: service.clock.now() }),
  )
  for (const query of ['*', 'lantern']) {
    expect(await find('Ben', query)).toEqual(['the lantern of Ben'])
    expect(await find('former member', query)).toEqual(['the lantern of Ben'])
    expect(await find('Nobody', query)).toEqual([])
  }
})
