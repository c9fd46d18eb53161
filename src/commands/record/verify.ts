import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { unverifyRecord, verifyRecord } from '../../memory/records/verify.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { eachRecord, toPartRefusal, toRefusedLines } from './each.ts'

/** `memsvc record verify` */
export function verifyCommand(cli: Cli): Command {
  const command = new Command('verify')
    .description('confirm records; they supersede the other records of their fact keys')
    .argument('<id...>')
  return defineCommand(cli, withProjectOptions(command), {
    act: async (service, options: ProjectOptions, ...ids) => {
      const { id: projectId } = await findProject(service, options)
      const { done, refused } = await eachRecord(ids, async (id) => {
        const { superseded } = await verifyRecord(service, COMMAND_LINE, { projectId, id })
        return { id, superseded: superseded.map((other) => other.id) }
      })
      return { verified: done, refused }
    },
    toText: ({ verified, refused }) =>
      [
        ...verified.map(({ id, superseded }) => `verified ${id}${superseded.length > 0 ? `, superseding ${superseded.join(', ')}` : ''}`),
        ...toRefusedLines(refused, 'verified'),
      ].join('\n'),
    refusal: ({ verified, refused }) => toPartRefusal(verified, refused, 'verified'),
  })
}

/** `memsvc record unverify` */
export function unverifyCommand(cli: Cli): Command {
  const command = new Command('unverify')
    .description('withdraw the verification of records; the newest record of a fact is current again')
    .argument('<id...>')
  return defineCommand(cli, withProjectOptions(command), {
    act: async (service, options: ProjectOptions, ...ids) => {
      const { id: projectId } = await findProject(service, options)
      const { done, refused } = await eachRecord(ids, async (id) => {
        const { record } = await unverifyRecord(service, COMMAND_LINE, { projectId, id })
        return { id, status: record.status, superseded_by: record.supersededBy }
      })
      return { unverified: done, refused }
    },
    toText: ({ unverified, refused }) =>
      [
        ...unverified.map(({ id, superseded_by: newer }) => `unverified ${id}${newer ? `, superseded by ${newer}` : ''}`),
        ...toRefusedLines(refused, 'unverified'),
      ].join('\n'),
    refusal: ({ unverified, refused }) => toPartRefusal(unverified, refused, 'unverified'),
  })
}
