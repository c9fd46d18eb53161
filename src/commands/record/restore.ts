import { Command } from 'commander'
import { recordEventAlone } from '../../account/audit/audit.ts'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { restoreRecord } from '../../memory/records/restore.ts'
import type { Service } from '../../service.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { eachRecord, toPartRefusal, toRefusedLines } from './each.ts'

/** `memsvc record restore` */
export function restoreCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('restore').description('bring forgotten records back').argument('<id...>'))
  return defineCommand(cli, command, {
    act: (service, options: ProjectOptions, ...ids) => restoreAll(service, options, ids),
    toText: ({ restored, refused }) =>
      [
        ...restored.map(
          ({ id, workspace, superseded_by: newer }) => `restored ${id} into '${workspace}'${newer ? `, superseded by ${newer}` : ''}`,
        ),
        ...toRefusedLines(refused, 'restored'),
      ].join('\n'),
    refusal: ({ restored, refused }) => toPartRefusal(restored, refused, 'restored'),
  })
}

async function restoreAll(service: Service, options: ProjectOptions, ids: string[]) {
  const project = await findProject(service, options)
  const account = await requireAccount(service, project.accountId)
  const { done, refused } = await eachRecord(ids, async (id) => {
    const { record, workspace } = await restoreRecord(service, { account, projectId: project.id, visible: undefined }, id)
    await recordEventAlone(service, COMMAND_LINE, { act: 'record.restore', accountId: account.id, projectId: project.id, target: id })
    return { id, workspace, superseded_by: record.supersededBy }
  })
  return { restored: done, refused }
}
