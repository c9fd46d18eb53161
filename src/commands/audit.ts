import { Command } from 'commander'
import { actorNames } from '../account/audit/named-events.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Cli } from './cli.ts'
import { readCount } from './read-count.ts'
import { defineCommand } from './report.ts'
import { toTable, toTableTime } from './terminal/table.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100_000

type Options = { account?: string; act?: string; limit: number }

/** `memsvc audit` */
export function auditCommand(cli: Cli): Command {
  const command = new Command('audit')
    .description('show who did what, newest first')
    .option('--account <account>', 'name or id; all accounts if left out')
    .option('--act <act>', "such as 'key.issue' or 'member.remove'")
    .option('--limit <n>', `maximum number of lines, up to ${MAX_LIMIT}`, readCount(MAX_LIMIT), DEFAULT_LIMIT)
  return defineCommand(cli, command, {
    act: async (service, { account, act, limit }: Options) => {
      const accountId = account === undefined ? undefined : (await requireAccount(service, account)).id
      const entries = await service.store.control.listAudit({ accountId, act, limit })
      const actorName = await actorNames(
        service,
        entries.map(({ actor }) => actor),
      )
      return entries.map((entry) => toJson(entry, actorName(entry.actor)))
    },
    toText: (lines) =>
      toTable(
        ['AT', 'WHO', 'ACT', 'TARGET', 'FROM', 'OUTCOME', 'DETAILS'],
        lines.map(({ at, who, act, target, origin, outcome, details }) => [
          toTableTime(at),
          who,
          act,
          target ?? '-',
          origin ?? '-',
          outcome,
          toText(details),
        ]),
        'no lines',
      ),
  })
}

function toJson(entry: AuditEntry, who: string) {
  return {
    at: toIsoTimeOrNull(entry.at),
    actor: entry.actor,
    who,
    act: entry.act,
    account_id: entry.accountId,
    project_id: entry.projectId,
    target: entry.target,
    origin: entry.via,
    outcome: entry.outcome,
    details: entry.details,
  }
}

function toText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
