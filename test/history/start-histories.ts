import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toMemberActor } from '../../src/account/auth/actor.ts'
import { packBlock, unpackBlock } from '../../src/history/blocks.ts'
import { listSessions } from '../../src/history/read/list-sessions.ts'
import { readTranscript } from '../../src/history/read/transcript.ts'
import type { Service } from '../../src/service.ts'
import type { Member } from '../../src/store/account.ts'
import type { HistoryStore } from '../../src/store/history-verbs.ts'
import { startService } from '../start-service.ts'
import { createUploadClient } from './upload-client.ts'

/** A service, an agent of its owner on the wire, and what the owner, or another member, reads of histories. */
export async function startHistories(wish: Parameters<typeof startService>[0] = {}) {
  const running = await startService(wish)
  const { service, account, owner, project, url, secret } = running
  const projectId = project.id
  /** A member whose sign-in is confirmed. */
  const actorOf = (member: Member) =>
    toMemberActor({ member: { ...member, historyAccess: 'confirmed' }, account }, null)
  const read = async (id: string, all = false, member = owner) =>
    (await readTranscript(service, actorOf(member), { projectId, id, limit: 1_000, all })).lines
  return {
    ...running,
    projectId,
    client: createUploadClient(url, secret),
    actor: actorOf(owner),
    actorOf,
    read,
    textsOf: async (id: string, member = owner) => (await read(id, false, member)).map(({ text }) => text),
    sessions: async (member = owner) =>
      (await listSessions(service, actorOf(member), { projectId, limit: 50 })).sessions,
  }
}

/** All files of the data folder. */
export async function readFiles({ config }: Service): Promise<Buffer[]> {
  const entries = await readdir(config.dataDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Promise.all(paths.map(async (path) => Buffer.from(await Bun.file(path).bytes())))
}

/** Whether a text stands anywhere in the files of the data folder, as it is or within what is compressed in blocks. */
export async function filesHold(service: Service, text: string): Promise<boolean> {
  if ((await readFiles(service)).some((bytes) => bytes.includes(text))) return true
  const { store } = service
  for (const { id } of (
    await Promise.all(
      (await store.control.list('accounts', {})).map((one) => store.control.list('projects', { accountId: one.id })),
    )
  ).flat()) {
    if ((await store.hasHistory(id)) && (await blocksHold(store.history(id), text))) return true
  }
  return false
}

/** Numbers of blocks are given once, in order. */
const MAX_BLOCKS = 5_000

async function blocksHold(histories: ReturnType<Service['store']['history']>, text: string): Promise<boolean> {
  for (let id = 1; id <= MAX_BLOCKS; id++) {
    const block = await histories.findBlock(id)
    if (block !== undefined && Buffer.from(await Bun.zstdDecompress(block.data)).includes(text)) return true
  }
  return false
}

/** Puts a credential in the place of a text in the first block of lines, as rules that did not know it let it pass. */
export async function plant(histories: HistoryStore, place: string, credential: string): Promise<void> {
  const [id = 0] = await histories.listBlocks({ after: 0, limit: 1 })
  const [block, lines] = [await histories.findBlock(id), await histories.listLinesOfBlock(id)]
  if (block === undefined) throw new Error('no block')
  const text = Buffer.from(await unpackBlock(block))
  const planted = lines.map((line) => {
    const stored = text.subarray(line.at, line.at + line.length).toString()
    return { ...line, text: Buffer.from(stored.replaceAll(place, credential)) }
  })
  const packed = await packBlock(block.sourceId, planted)
  await histories.write((tx) => tx.replaceBlock(id, packed.block, packed.places))
}
