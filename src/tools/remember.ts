import { tool } from '../mcp/tool.ts'
import { RememberArguments } from '../memory/records/save/draft.ts'
import { Remembered, rememberRecord } from '../memory/records/save/remember.ts'

export const remember = tool({
  name: 'remember',
  title: 'Save memory',
  description:
    'Save a fact, decision or note to the memory of this project, for later conversations and other assistants. ' +
    'Use it when something was decided or learned that will matter later, or when the user asks to remember something. ' +
    'One fact per call, in sentences that make sense without this conversation. Always give asked_as, since search matches words. ' +
    'For each record that similar names: forget it if it is outdated, or save again with its fact_key. ' +
    'Never save passwords, keys or other secrets.',
  access: 'write',
  alwaysLoad: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  args: RememberArguments,
  result: Remembered,
  run: async ({ service, caller, args }) => ({
    result: await rememberRecord(service, { kind: 'caller', caller }, { ...args, projectId: caller.projectId }),
  }),
})
