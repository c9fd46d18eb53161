import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { Refusal } from '../errors.ts'
import { exportRecords } from '../memory/transfer/export-records.ts'
import type { Service } from '../service.ts'
import { type Cli, withService } from './cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from './options.ts'
import { createProgress } from './terminal/progress.ts'

type Options = ProjectOptions & { workspace?: string; output?: string }

/** `memsvc export` */
export function exportCommand(cli: Cli): Command {
  return withProjectOptions(new Command('export'))
    .description(
      "print a project's records as JSON Lines in their order of saving, without the forgotten ones; 'memsvc import' reads them back",
    )
    .option('--workspace <name>', 'only of this workspace')
    .option('--output <file>', 'write to this file instead; it is there only when it is whole')
    .action((options: Options) => withService(cli, (service) => runExport(cli, service, options)))
}

async function runExport(cli: Cli, service: Service, { workspace, output, ...named }: Options): Promise<void> {
  const { id: projectId } = await findProject(service, named)
  const progress = createProgress(cli)
  let records = 0

  async function* pieces(): AsyncGenerator<string> {
    for await (const lines of exportRecords(service, COMMAND_LINE, { projectId, workspace })) {
      yield lines.join('')
      records += lines.length
      progress.show(`${records} exported`)
    }
  }

  if (output === undefined) for await (const piece of pieces()) await cli.out(piece)
  else await writeFile(output, pieces())
  progress.end()
  progress.say(`${records} records exported`)
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/**
 * Writes a file that only its owner may read, atomically: into a new file beside it, which is synchronised and renamed. The new file's name cannot be guessed, so that
 * no link planted there is followed. Throws a Refusal where the file system refuses.
 */
export async function writeFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const partial = `${path}.${randomBytes(8).toString('hex')}.part`
  try {
    const handle = await open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    await fill(handle, partial, path, pieces)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`cannot write '${path}': ${error.message}`)
    throw error
  }
}

async function fill(handle: Awaited<ReturnType<typeof open>>, partial: string, path: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    try {
      await handle.chmod(0o600)
      for await (const piece of pieces) await handle.writeFile(piece)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
