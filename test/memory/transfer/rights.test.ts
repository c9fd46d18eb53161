import { expect, test } from 'bun:test'
import { COMMAND_LINE, toMemberActor } from '../../../src/account/auth/actor.ts'
import { removeMember } from '../../../src/account/organizations/change-member.ts'
import { importRecords } from '../../../src/memory/transfer/import-records.ts'
import { startOrganization } from '../../http/console/organization.ts'

const LINES = 2_000

test('an import ends when its member is removed in its midst; what it saved is in the audit log', async () => {
  const { service, account, project, org } = await startOrganization()
  const zoe = await org.addMember('Zoe', { role: 'admin' })
  async function* items() {
    for (let at = 0; at < LINES; at++) {
      if (at === LINES / 2) await removeMember(service, COMMAND_LINE, zoe)
      yield { where: `line ${at}`, entries: [{ content: `note number ${at}` }] }
    }
  }
  const refusals: string[] = []
  const watch = {
    refused: (where: string, reason: string) => void refusals.push(`${where}: ${reason}`),
    progress: () => {},
    isStopped: () => false,
  }
  const input = { projectId: project.id, workspace: undefined, member: zoe, items: items(), watch }
  const { saved } = await importRecords(service, toMemberActor({ member: zoe, account }, null), input)
  expect(saved).toBeGreaterThan(0)
  expect(saved).toBeLessThanOrEqual(LINES / 2)
  expect(refusals).toEqual(['the rest: the importer is no longer allowed to import'])
  expect(await service.store.control.listAudit({ act: 'project.import', limit: 2 })).toMatchObject([
    { details: { saved } },
  ])
})
