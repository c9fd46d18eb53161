import { tool } from '../mcp/tool.ts'
import { ValidateArguments, Validated, validateSource } from '../memory/records/validate.ts'

export const validateMemory = tool({
  name: 'validate_memory',
  title: 'Check memory freshness',
  description:
    'Check which records of a source are still fresh. ' +
    'Use it before relying on records of a file that may have changed, and after changing one.',
  access: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  args: ValidateArguments,
  result: Validated,
  run: async ({ service, caller, args }) => ({ result: await validateSource(service, caller, args) }),
})
