import { tool } from '../mcp/tool.ts'
import { RememberArguments } from '../memory/records/save/draft.ts'
import { Remembered, rememberRecord } from '../memory/records/save/remember.ts'

export const remember = tool({
  name: 'remember',
  title: 'Save memory',
  description:
    'Save a fact, decision or note to the memory of this project, for later conversations and its other assistants. ' +
    'Use it when something was decided, learned or agreed that will matter later, or when the user asks to remember something. ' +
    'One fact per call, in sentences that make sense without this conversation. ' +
    'Give fact_key for a fact that may change, such as "deploy.region": a newer record of the same key replaces the older. ' +
    'Always give asked_as, since search matches words. ' +
    'Give source_id and source_hash for a fact from a file or document, so that its freshness can be checked. ' +
    'Saving twice is harmless. For each record that similar names: forget it if it is outdated, or save again with its fact_key. Never save passwords, keys or other secrets.',
  access: 'write',
  alwaysLoad: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  args: RememberArguments,
  result: Remembered,
  run: async ({ service, caller, args }) => ({
    result: await rememberRecord(service, { kind: 'caller', caller }, { ...args, projectId: caller.projectId }),
  }),
})
