import { COMMAND_LINE } from '../account/auth/actor.ts'
import { CALL_REASONS, explainReason } from '../account/usage/call-reasons.ts'
import { listCallErrors, type NamedCallError } from '../account/usage/visible-call-errors.ts'
import { toIsoTime, toIsoTimeOrNull } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { listQuestions } from '../memory/questions/questions.ts'
import { readCount } from './command.ts'
import { onProject } from './service-command.ts'
import { HIGHER_LIMIT, toListing, toOneLine, withMore } from './terminal/text.ts'

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
      '--unanswered': 'questions of searches that no record answered instead, if the project keeps them',
    },
    act: async (service, { id: projectId, accountId, keepsQuestions }, { outcome, reason, key, limit, unanswered }) => {
      if (unanswered) {
        if (!keepsQuestions)
          throw new Refusal('the project keeps no questions; its owner switches that on in the console')
        const { questions, total } = await listQuestions(service, COMMAND_LINE, projectId, { limit })
        const shown = questions.map(({ text, asked, at }) => ({ question: text, asked, at: toIsoTime(at) }))
        return { questions: shown, more: total > limit ? HIGHER_LIMIT : undefined }
      }
      const filter = { projectId, outcome, reason, keyId: key }
      const { rows, older, isCut } = await listCallErrors(service, COMMAND_LINE, accountId, filter, { limit })
      const cut = isCut ? 'in the console; only the latest 5,000 calls were looked through' : HIGHER_LIMIT
      return { calls: rows.map(toJson), more: older && cut }
    },
    toJson: (found) => found.calls ?? found.questions,
    toText: ({ calls, questions, more }) =>
      withMore(calls === undefined ? toQuestions(questions) : toCalls(calls), more),
  },
)

type Asked = { question: string; asked: number; at: string }

const toQuestions = (questions: Asked[]) =>
  toListing(
    questions,
    { ASKED: 'asked', LAST: 'at', QUESTION: ({ question }) => toOneLine(question) },
    'every question found an answer',
  )

const toCalls = (calls: ReturnType<typeof toJson>[]) =>
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
