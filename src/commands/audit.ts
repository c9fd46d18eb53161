import { actorNames } from '../account/audit/named-events.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import type { AuditEntry } from '../store/audit.ts'
import { readCount } from './command.ts'
import { findAccount, serviceCommand } from './service-command.ts'
import { HIGHER_LIMIT, toListing, withMore } from './terminal/text.ts'

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
    const found = await service.store.control.listAudit({ accountId, act, limit: limit + 1 })
    const entries = found.slice(0, limit)
    const actorName = await actorNames(
      service,
      entries.map(({ actor }) => actor),
    )
    return { lines: entries.map((entry) => toJson(entry, actorName(entry.actor))), areMore: found.length > limit }
  },
  toJson: ({ lines }) => lines,
  toText: ({ lines, areMore }) => {
    const list = toListing(
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
    )
    return withMore(list, areMore ? HIGHER_LIMIT : undefined)
  },
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
