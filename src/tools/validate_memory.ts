import { tool } from '../mcp/tool.ts'
import { ValidateArguments, Validated, validateSource } from '../memory/records/validate.ts'

export const validateMemory = tool({
  name: 'validate_memory',
  title: 'Check memory freshness',
  description:
    'Check which records of one source are still fresh. ' +
    'Use it before relying on records that came from a file or document which may have changed since, and after changing such a file: ' +
    'give its source_id, and its present source_hash if you know it; without one, the hash saved last is compared with. ' +
    'It changes nothing; forget with stale deletes what is out of date.',
  access: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  args: ValidateArguments,
  result: Validated,
  run: async ({ service, caller, args }) => ({ result: await validateSource(service, caller, args) }),
})
