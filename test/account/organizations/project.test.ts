import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { renameProject } from '../../../src/account/organizations/project.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'

test('a project keeps its name, but not where another one has taken it meanwhile', async () => {
  const { service, org } = await startService()
  const project = await org.addProject('website')
  expect(await renameProject(service, COMMAND_LINE, { project, name: 'website' })).toEqual(project)
  await renameProject(service, COMMAND_LINE, { project, name: 'old website' })
  await org.addProject('website')
  const again = renameProject(service, COMMAND_LINE, { project, name: 'website' })
  expect(await rejectionOf(again)).toBe("the account already has a project 'website'")
})
