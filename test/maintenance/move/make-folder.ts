import { join } from 'node:path'
import { encryptHeaders } from '../../../src/gateway/credentials.ts'
import { ensureKeyring } from '../../../src/gateway/keyring.ts'
import type { HistoryStore } from '../../../src/store/history-verbs.ts'
import { insertRecords } from '../../builders/records.ts'
import { openStartedCli } from '../../run-cli.ts'
import { fillControl } from '../../store/sqlite/damage/varied-data.ts'

const NOW = Date.UTC(2026, 0, 15)
const TEXTS = [
  'The build of the parser listens on port 9090',
  'Deployments go out on Tuesdays, after the standup\0with a zero in between',
  'La compilación tarda veinte minutos en el servidor de integración',
  '東京の事務所は月曜日に閉まっています',
  'Ярослав отвечает за резервные копии базы данных',
  'use parseHTTPResponse2 in src/http/response-parser.ts',
  'U+10FFFF \u{10ffff}1 and an emoji 🦊',
]

/** As long as a path may be, and of random letters, which no index compresses. */
const LONG_PATH = `/srv/${crypto.getRandomValues(new Uint8Array(2_000)).toHex()}`

/**
 * A data folder with rows in every table: credentials of integrations that can be decrypted, forgotten and superseded
 * records, sessions of which a part is erased.
 */
export async function makeFolderToMove() {
  const cli = await openStartedCli()
  const { folder, project, owner, onOrganization, onService } = cli
  await onOrganization(async (org) => {
    const department = await org.addDepartment('Engineering')
    const member = await org.addMember('Ben', { department })
    await org.issueKey({ member, label: 'laptop' })
    await org.addProject('second')
  })
  await onService(async (service) => {
    await ensureKeyring(service)
    const notes = Array.from({ length: 230 }, (_, at) => ({
      content: `${TEXTS[at % TEXTS.length]} (${at})`,
      factKey: at % 9 === 0 ? `Straße.${at}` : `part.${at}`,
      factKeyGiven: at % 3 === 0,
      audience: (['*', '*', `a:${owner.id}`] as const)[at % 3] ?? '*',
      sourceId: at % 2 === 0 ? `docs/part-${at % 40}.md` : null,
      sourceHash: at % 2 === 0 ? `hash-${at % 7}` : null,
      expiresAt: at % 5 === 0 ? NOW + at : null,
      createdAt: NOW + at,
    }))
    await insertRecords({ service, project, owner }, notes)
    const store = service.store.project(project.id)
    const records = await store.listRecords({ visible: undefined })
    await store.write(async (tx) => {
      const gone = await tx.insertWorkspace('gone', NOW)
      await tx.updateWorkspace(gone.id, { removedAt: NOW + 1 })
      for (const { id } of records.slice(0, 20)) await tx.forgetRecord(id, NOW)
      await tx.purgeForgotten(NOW + 1, 10)
      const [older, newer] = [records[30], records[31]]
      await tx.supersede(older?.id ?? '', newer?.id ?? '')
      await tx.updateRecord(older?.id ?? '', { needsReview: true, refreshedAt: NOW + 5 })
      await tx.saveSourceState(
        { workspaceId: 1, sourceId: 'docs/part-2.md', audience: '*' },
        { hash: 'state of the source', at: NOW },
      )
      await tx.saveRecentState(newer?.id ?? '', { hash: 'h', savedAt: NOW, since: 0 })
      await tx.saveImportedSource({ root: LONG_PATH, workspaceId: 1, sourceId: 'docs/part-2.md' })
      const asked = {
        hash: 'f'.repeat(64),
        state: 'asked' as const,
        text: 'a text',
        reason: 'why not',
        why: 'because',
        askedBy: owner.id,
      }
      await tx.saveRelease({ ...asked, askedAt: NOW, decidedBy: null, decidedAt: null })
      await tx.addQuestions([{ id: 'd'.repeat(64), text: 'who has the key?', asked: 1, at: NOW }], 10)
    })
    await addHistories(service.store.history(project.id), owner.id)
  })
  const control = join(folder, 'control.db')
  fillControl(control)
  await onService(async (service) => {
    const integrations = await service.store.control.list('integrations', {})
    await service.store.control.write(async (tx) => {
      for (const one of integrations)
        await tx.update(
          'integrations',
          { id: one.id },
          { headers: encryptHeaders(service, one, { authorization: `Bearer secret of ${one.slug}` }) },
        )
      const made = { madeBy: null, createdAt: NOW, expiresAt: NOW + 1 }
      const [accountId = '', memberId = ''] = [integrations[0]?.accountId, owner.id]
      await tx.insert('invitations', {
        ...made,
        id: 'invited',
        digest: 'e'.repeat(64),
        accountId,
        email: 'cleo@example.org',
        role: 'member',
        departmentId: null,
        projectIds: ['p1'],
      })
      await tx.insert('entryLinks', { ...made, digest: 'a'.repeat(64), memberId })
      // More than are read at a time.
      const event = {
        accountId,
        projectId: project.id,
        actor: `member:${memberId}`,
        target: null,
        via: null,
        outcome: 'done' as const,
      }
      for (let at = 0; at < 600; at++)
        await tx.insertAudit({ ...event, at: NOW + at, act: 'record.verify', details: { records: at } })
    })
  })
  return { ...cli, control }
}

/** Two sessions of which one is half erased: numbers of lines have gaps, and a block is stale. */
async function addHistories(store: HistoryStore, ownerId: string): Promise<void> {
  const keyOf = (name: string) => Bun.SHA256.hash(name, 'hex').slice(0, 32)
  const facts = {
    sessionId: 's',
    kind: 'main' as const,
    parentSessionId: null,
    cwd: '/home/ana',
    gitBranch: 'main',
    appVersion: '2.1',
  }
  for (const id of ['s1', 's2']) {
    const times = {
      firstAt: NOW,
      lastAt: NOW,
      createdAt: NOW,
      receivedAt: NOW,
      activeAt: NOW,
      erasedAt: null,
      closedAt: null,
      forgottenAt: null,
    }
    const source = {
      ...facts,
      ...times,
      id,
      ownerId,
      device: 'd',
      assistant: 'claude-code',
      sourceKey: `${id}.jsonl`,
      title: 'a session',
    }
    await store.write(async (tx) => {
      await tx.insertSource({
        ...source,
        chain: 'c',
        lastId: keyOf('u1'),
        sinceId: 2,
        lines: 40,
        lastLine: 40,
        erasedLines: 0,
        examinedLine: 40,
      })
      const created = { line: 3, state: 'dismissed', text: 'always ask', terms: 'ask', createdAt: NOW } as const
      await tx.insertSuggestions([{ id: `g of ${id}`, ownerId, sourceId: id, ...created }])
      for (const part of [0, 1]) {
        const lines = Array.from({ length: 20 }, (_, at) => {
          const key = keyOf(`${id} ${part} ${at}`)
          return { key, hash: key, line: part * 20 + at + 1, at: at * 10, length: 10 }
        })
        await tx.insertLines({ sourceId: id, data: crypto.getRandomValues(new Uint8Array(100)) }, lines)
      }
    })
  }
  await store.write(async (tx) => {
    await tx.updateSource('s2', { erasedLines: 20, lines: 20 })
    await tx.eraseLines('s2', 10)
    await tx.setAgreed(ownerId, NOW)
  })
}
