import { onTestFinished } from 'bun:test'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readHistory } from '../../../../src/agent/histories/discover.ts'
import type { Machine } from '../../../../src/agent/histories/source.ts'
import { openSyncDatabase, type SyncDatabase } from '../../../../src/agent/histories/sync/database.ts'
import { type PassOptions, runPass, type Uploader } from '../../../../src/agent/histories/sync/pass.ts'
import {
  type MappedFolder,
  readSyncSettings,
  type SyncSettings,
  saveSyncSettings,
} from '../../../../src/agent/histories/sync/settings.ts'
import { createSyncClient } from '../../../../src/agent/histories/sync/wire.ts'
import { createServiceClient } from '../../../../src/agent/service-client.ts'
import { FORMATS } from '../../../../src/transcripts/formats.ts'
import { UNKNOWN_KEY } from '../../start-agent.ts'
import { HOLDER_ID, PROJECT_ID } from './sync-endpoint.ts'

/** A person's machine in a folder, where the upload of `~/app` to the project of a service is agreed on. */
export async function openMachine(endpoint: string) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'memsvc-home-')))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const environment: Record<string, string> = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    SVC_STATE_DIR: join(home, 'state'),
    SVC_ENDPOINT: endpoint,
    SVC_API_KEY: UNKNOWN_KEY,
  }
  const machine: Machine = { environment, home }
  await mkdir(join(home, 'app'))
  const toFolder = (name: string, projectId = PROJECT_ID): MappedFolder => ({
    folder: join(home, name),
    endpoint,
    projectId,
    holderId: HOLDER_ID,
    assistants: [...FORMATS.keys()],
    project: 'default',
    account: 'acme',
    holder: 'Ada',
    key: 'lXzxUFMp',
    since: null,
  })
  const change = async (settings: Partial<SyncSettings>) => {
    const before = (await readSyncSettings(environment)) ?? {
      device: crypto.randomUUID(),
      isPaused: false,
      folders: [toFolder('app')],
      excluded: [],
    }
    await saveSyncSettings(environment, { ...before, ...settings })
  }
  await change({})

  /** Another process that uploads; its database is closed when the test has finished. */
  function openUploader(pid = process.pid): Uploader {
    const database: SyncDatabase = openSyncDatabase(join(home, 'state'), 5_000)
    onTestFinished(() => database.close())
    const target = { endpoint, projectId: PROJECT_ID, holderId: HOLDER_ID }
    return {
      database,
      target,
      client: createSyncClient(createServiceClient(environment), target),
      machine,
      read: readHistory,
      known: new Map(),
      pid,
      signal: new AbortController().signal,
      now: Date.now,
    }
  }

  return {
    home,
    environment,
    machine,
    toFolder,
    change,
    openUploader,
    /** The file of a session of Claude Code, below `~/.claude/projects`. */
    sessionFile: (name: string) => join(home, '.claude', 'projects', '-app', `${name}.jsonl`),
    pass: (uploader: Uploader, options: PassOptions = {}) => runPass(uploader, options),
  }
}

/** A line of a session of Claude Code. */
export function toLine(sessionId: string, cwd: string, text: string, more: Record<string, unknown> = {}): string {
  const message = { role: 'user', content: text }
  const line = {
    type: 'user',
    uuid: crypto.randomUUID(),
    sessionId,
    cwd,
    timestamp: new Date().toISOString(),
    version: '2.1.330',
    message,
    ...more,
  }
  return `${JSON.stringify(line)}\n`
}

export async function writeFileIn(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await Bun.write(file, text)
}

/** A session of Claude Code in a folder of the person's home. Returns its id. */
export async function writeSession(
  { home, sessionFile }: { home: string; sessionFile: (name: string) => string },
  folder: string,
): Promise<string> {
  const session = crypto.randomUUID()
  await writeFileIn(sessionFile(session), toLine(session, join(home, folder), 'plans'))
  return session
}
