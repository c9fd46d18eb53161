import { actorNames } from '../account/audit/named-events.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import type { AuditEntry } from '../store/audit.ts'
import { readCount } from './command.ts'
import { findAccount, serviceCommand } from './service-command.ts'
import { toListing } from './terminal/text.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100_000

export const auditCommand = serviceCommand('audit', 'show who did what, newest first', {
  options: {
    '--account <account>': 'name or id; all accounts if left out',
    '--act <act>': "such as 'key.issue' or 'member.remove'",
    '--limit <n>': {
      help: `maximum number of lines, up to ${MAX_LIMIT}`,
      parse: readCount(MAX_LIMIT),
      default: DEFAULT_LIMIT,
    },
  },
  act: async (service, { account, act, limit }) => {
    const accountId = (await findAccount(service, account))?.id
    const entries = await service.store.control.listAudit({ accountId, act, limit })
    const actorName = await actorNames(
      service,
      entries.map(({ actor }) => actor),
    )
    return entries.map((entry) => toJson(entry, actorName(entry.actor)))
  },
  toText: (lines) =>
    toListing(
      lines,
      {
        AT: 'at',
        WHO: 'who',
        ACT: 'act',
        TARGET: 'target',
        FROM: 'origin',
        OUTCOME: 'outcome',
        DETAILS: ({ details }) =>
          Object.entries(details)
            .map(([name, value]) => `${name}=${value}`)
            .join(' '),
      },
      'no lines',
    ),
})

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
