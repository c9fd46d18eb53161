import { expect } from 'bun:test'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { readTranscript } from '../../src/history/read/transcript.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { makeFolder, runCommand } from '../run-cli.ts'
import { embeddedTest } from '../stored-data.ts'
import { startHistories } from './start-histories.ts'
import { claudeLine } from './upload-client.ts'

const random = {
  uuid: (at: number) => Bun.randomUUIDv7('hex', at),
  bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
}

embeddedTest('backups of files')(
  'session histories come back with everything, and with one project alone',
  async () => {
    const { service, client, actor, projectId, textsOf } = await startHistories()
    const head = await client.head()
    await client.append(head, [claudeLine('u1', 'How do I bake bread?'), claudeLine('u2', 'And rolls?')])
    const kept = await makeFolder()
    const run = async (words: string[], folder = service.config.dataDir) => {
      const ran = await runCommand({ environment: { SVC_DATA_DIR: folder }, clock: service.clock, random }, words)
      expect(ran).toMatchObject({ status: 0, err: '' })
      return ran.out
    }
    const { file } = JSON.parse(await run(['backup', kept, '--json']))
    const target = join(kept, 'restored')
    await run(['restore', file, '--data', target])
    const made = JSON.parse(await run(['restore', file, '--project', 'default', '--as', 'as it was', '--json']))

    const config = { ...readConfig({}), dataDir: target }
    const restored = await openService({
      config,
      clock: service.clock,
      random,
      log: createLog(service.clock.now, () => {}),
      version: '0.0.0',
    })
    const readIn = async (from: typeof service, id: string) =>
      (await readTranscript(from, actor, { projectId: id, id: head.source_id, limit: 10, all: false })).lines.map(
        ({ text }) => text,
      )
    const texts = await textsOf(head.source_id)
    expect(texts).toEqual(['How do I bake bread?', 'And rolls?'])
    expect(await readIn(restored, projectId)).toEqual(texts)
    expect(await readIn(service, made.id)).toEqual(texts)
    await restored.close()
  },
)
