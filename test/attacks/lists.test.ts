import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { inviteMember } from '../../src/account/organizations/invitation.ts'
import { DAY_MS } from '../../src/clock.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'

/** Does an act as often as it is let, and the message of the refusal of one more. */
async function fill(count: number, act: (at: number) => Promise<unknown>): Promise<string> {
  await Promise.all(Array.from({ length: count }, (_, at) => act(at)))
  return rejectionOf(act(count))
}

test('what an account has of departments, invitations and integrations is bounded, since each is read whole', async () => {
  const { service, org, account } = await startService()
  const invite = (at: number) =>
    inviteMember(service, COMMAND_LINE, { account, email: `${at}@example.org`, role: 'member', validityMs: DAY_MS })
  const integrate = (at: number) => org.addIntegration({ slug: `hub-${at}`, name: 'Hub', url: 'http://127.0.0.1:9/mcp' })
  expect(await fill(500, (at) => org.addDepartment(`Stones ${at}`))).toContain('an account has at most 500 departments')
  expect(await fill(500, invite)).toContain('an account has at most 500 open invitations')
  expect(await fill(100, integrate)).toContain('an account has at most 100 integrations')
}, 60_000)
