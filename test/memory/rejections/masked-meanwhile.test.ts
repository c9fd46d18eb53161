import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { actingAs } from '../../../src/account/auth/caller.ts'
import { moveRecord } from '../../../src/memory/records/bulk/move.ts'
import { amendRecord } from '../../../src/memory/records/save/remember.ts'
import { restoreRecord } from '../../../src/memory/records/trash/restore.ts'
import { requireCurrent } from '../../../src/memory/records/verify.ts'
import { scanRecords } from '../../../src/memory/rejections/scan-records.ts'
import { authorizeMemory } from '../../../src/memory/visibility.ts'
import { forgetAs, rememberAs } from '../../as-caller.ts'
import { meanwhile } from '../../meanwhile.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'

const TOKEN = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5'}`

/** A record with a credential, which is masked once the service has read it, and what the index has of the credential. */
async function startMasking() {
  const { service, account, owner, project } = await startService()
  const projectId = project.id
  const caller = actingAs({ ...account, credentialPolicy: 'allow' }, project, owner)
  const { id } = await rememberAs(service, caller, { content: `the token of the zebra is ${TOKEN}` })
  const store = service.store.project(projectId)
  const isMasking = { isMasking: true, found: () => {} }
  return {
    ctx: meanwhile(service, 'findRecord', () => scanRecords(store, isMasking)),
    input: { projectId, id },
    forget: () => forgetAs(service, caller, { id }),
    search: async () => {
      const groups = [[TOKEN.toLowerCase().replace('ghp_', '')]]
      const [found] = await store.findPostings({ visible: undefined, workspaceId: undefined, groups, most: 1 })
      return found?.length
    },
  }
}

test('a credential that is masked while its record is moved does not return to the index', async () => {
  const { ctx, input, search } = await startMasking()
  expect(await search()).toBe(1)
  const moved = moveRecord(ctx, COMMAND_LINE, { ...input, workspace: 'other' })
  expect(await rejectionOf(moved)).toBe(`record '${input.id}' was changed just now; try again`)
  expect(await search()).toBe(0)
})

test('nor while its record is restored', async () => {
  const { ctx, input, forget, search } = await startMasking()
  await forget()
  const restored = restoreRecord(ctx, COMMAND_LINE, input)
  expect(await rejectionOf(restored)).toBe(`record '${input.id}' was changed just now; try again`)
  expect((await restoreRecord(ctx, COMMAND_LINE, input)).record.content).toBe('the token of the zebra is ***')
  expect(await search()).toBe(0)
})

test('nor while its record gets another wording', async () => {
  const { ctx, input, search } = await startMasking()
  const memory = await authorizeMemory(ctx, COMMAND_LINE, input.projectId, 'write')
  const record = await requireCurrent(memory.records, memory.visible, input.id)
  const amended = amendRecord(ctx, COMMAND_LINE, memory, record, { phrases: ['secret of the zoo'] })
  expect(await rejectionOf(amended)).toBe(`record '${input.id}' was changed just now; try again`)
  expect(await search()).toBe(0)
})
