import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { moveRecord } from '../../memory/records/bulk/move.ts'
import { restoreRecord } from '../../memory/records/trash/restore.ts'
import { unverifyRecord, verifyRecord } from '../../memory/records/verify.ts'
import type { Service } from '../../service.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { eachRecord, toPartRefusal, toRefusedLines } from './each.ts'

/** An act on each of several records. In the JSON output, its results stand under the participle. */
type Act<Options, Done> = {
  participle: string
  act: (service: Service, ref: { projectId: string; id: string }, options: Options) => Promise<Done>
  toLines: (done: Done[], options: Options) => string[]
  /** What stands before the results in the JSON output. */
  toHead?: (options: Options) => object
}

function defineAct<Options extends object, Done>(cli: Cli, command: Command, { participle, act, toLines, toHead }: Act<Options, Done>) {
  return defineCommand(cli, command, {
    act: async (service, options: Options & ProjectOptions, ...ids) => {
      const { id: projectId } = await findProject(service, options)
      return { options, ...(await eachRecord(ids, (id) => act(service, { projectId, id }, options))) }
    },
    toJson: ({ options, done, refused }) => ({ ...toHead?.(options), [participle]: done, refused }),
    toText: ({ options, done, refused }) => [...toLines(done, options), ...toRefusedLines(refused, participle)].join('\n'),
    refusal: ({ done, refused }) => toPartRefusal(done, refused, participle),
  })
}

const toCommand = (verb: string, description: string) => withProjectOptions(new Command(verb).description(description).argument('<id...>'))

/** The record that has taken the place of one, as the end of a line. */
const toSuperseded = (newer: string | null) => (newer === null ? '' : `, superseded by ${newer}`)

/** `memsvc record verify` */
export function verifyCommand(cli: Cli): Command {
  return defineAct(cli, toCommand('verify', 'confirm records; they supersede the other records of their fact keys'), {
    participle: 'verified',
    act: async (service, ref) => {
      const { superseded } = await verifyRecord(service, COMMAND_LINE, ref)
      return { id: ref.id, superseded: superseded.map((other) => other.id) }
    },
    toLines: (verified) =>
      verified.map(({ id, superseded }) => `verified ${id}${superseded.length > 0 ? `, superseding ${superseded.join(', ')}` : ''}`),
  })
}

/** `memsvc record unverify` */
export function unverifyCommand(cli: Cli): Command {
  return defineAct(cli, toCommand('unverify', 'withdraw the verification of records; the newest record of a fact is current again'), {
    participle: 'unverified',
    act: async (service, ref) => {
      const { record } = await unverifyRecord(service, COMMAND_LINE, ref)
      return { id: ref.id, status: record.status, superseded_by: record.supersededBy }
    },
    toLines: (unverified) => unverified.map(({ id, superseded_by: newer }) => `unverified ${id}${toSuperseded(newer)}`),
  })
}

/** `memsvc record restore` */
export function restoreCommand(cli: Cli): Command {
  return defineAct(cli, toCommand('restore', 'restore forgotten records'), {
    participle: 'restored',
    act: async (service, ref) => {
      const { record, workspace } = await restoreRecord(service, COMMAND_LINE, ref)
      return { id: ref.id, workspace, superseded_by: record.supersededBy }
    },
    toLines: (restored) =>
      restored.map(({ id, workspace, superseded_by: newer }) => `restored ${id} into '${workspace}'${toSuperseded(newer)}`),
  })
}

/** `memsvc record move` */
export function moveCommand(cli: Cli): Command {
  const command = toCommand('move', 'move records into another workspace, where the rules of their fact keys apply')
  return defineAct(cli, command.requiredOption('--to <workspace>', 'created if it does not exist'), {
    participle: 'moved',
    act: async (service, ref, { to: workspace }: { to: string }) => {
      const { record, returned } = await moveRecord(service, COMMAND_LINE, { ...ref, workspace })
      return { id: ref.id, status: record.status, superseded_by: record.supersededBy, current_again: returned.map((other) => other.id) }
    },
    toHead: ({ to: workspace }) => ({ workspace }),
    toLines: (moved, { to }) => [
      ...moved.map(({ id, superseded_by: newer }) => `moved ${id} to '${to}'${toSuperseded(newer)}`),
      ...moved.flatMap(({ current_again: again }) => again.map((other) => `${other} is current again`)),
    ],
  })
}
