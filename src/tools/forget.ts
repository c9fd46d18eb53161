import { tool } from '../mcp/tool.ts'
import { ForgetArguments, Forgotten, forgetRecords } from '../memory/records/trash/forget.ts'

export const forget = tool({
  name: 'forget',
  title: 'Delete memory',
  description:
    'Delete a record by its id, or all records of a source by source_id. ' +
    'Use it when the user asks to forget something, or when a record is wrong and no newer one replaces it; find the id with search. ' +
    'What it had replaced holds again. A person can undo this for a while.',
  access: 'write',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  args: ForgetArguments,
  result: Forgotten,
  run: async ({ service, caller, args }) => ({
    result: await forgetRecords(service, { kind: 'caller', caller }, { ...args, projectId: caller.projectId }),
  }),
})
