import { COMMAND_LINE } from '../account/auth/actor.ts'
import { CALL_REASONS, explainReason } from '../account/usage/call-reasons.ts'
import { listCallErrors, type NamedCallError } from '../account/usage/visible-call-errors.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import { readCount } from './command.ts'
import { onProject } from './options.ts'
import { toListing, toOneLine } from './terminal/text.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 5_000

export const callsCommand = onProject(
  'calls',
  'show which calls were refused or failed in the last 30 days, and why, newest first',
  {
    options: {
      '--outcome <outcome>': { help: 'only calls with this outcome', choices: ['refused', 'failed'] },
      '--reason <reason>': { help: 'only calls with this reason', choices: Object.keys(CALL_REASONS) },
      '--key <id>': "only calls of a key; 'memsvc key list' shows its id",
      '--limit <n>': {
        help: `maximum number of calls, up to ${MAX_LIMIT}`,
        parse: readCount(MAX_LIMIT),
        default: DEFAULT_LIMIT,
      },
    },
    act: async (service, { id: projectId, accountId }, { outcome, reason, key, limit }) => {
      const filter = { projectId, outcome, reason, keyId: key }
      return (await listCallErrors(service, COMMAND_LINE, accountId, filter, { limit })).rows.map(toJson)
    },
    toText: (calls) =>
      toListing(
        calls,
        {
          AT: 'at',
          WHO: ({ person }) => toOneLine(person ?? 'service key'),
          KEY: ({ key }) => toOneLine(key),
          TOOL: ({ tool }) => toOneLine(tool),
          OUTCOME: ({ outcome, calls }) => (calls === 1 ? outcome : `${outcome} (one of ${calls})`),
          WHY: 'why',
          'WHAT TO DO': 'to_do',
        },
        'no call was refused or failed',
      ),
  },
)

function toJson({ at, person, key, keyId, tool, outcome, reason, calls }: NamedCallError) {
  const { why, mend } = explainReason(reason)
  return {
    at: toIsoTimeOrNull(at),
    person: person ?? null,
    key,
    key_id: keyId,
    tool,
    outcome,
    reason,
    why,
    to_do: mend,
    calls,
  }
}
