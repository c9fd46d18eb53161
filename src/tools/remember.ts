import { tool } from '../mcp/tool.ts'
import { RememberArguments } from '../memory/records/save/draft.ts'
import { Remembered, rememberRecord } from '../memory/records/save/remember.ts'

export const remember = tool({
  name: 'remember',
  title: 'Save memory',
  description:
    'Save one fact, decision or note to the memory of this project, where later conversations and the other assistants of the project find it. ' +
    'Use it when something was decided, learned or agreed that will matter later, or when the user asks to remember something. ' +
    'Save one fact per call, in sentences that make sense without this conversation. ' +
    'Give fact_key for a fact that may change, for example "deploy.region": a newer record of the same key replaces the older one. ' +
    'Always give asked_as: phrases in other words that somebody may ask with, since search matches words. ' +
    'Give source_id and source_hash when the fact comes from a file or document, so that its freshness can be checked. ' +
    'Saving the same thing twice is harmless; for each record that similar names, forget it if it is outdated, or save again with its fact_key. Never save passwords, keys or other secrets.',
  access: 'write',
  alwaysLoad: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  args: RememberArguments,
  result: Remembered,
  run: async ({ service, caller, args }) => ({
    result: await rememberRecord(service, { kind: 'caller', caller }, { ...args, projectId: caller.projectId }),
  }),
})
