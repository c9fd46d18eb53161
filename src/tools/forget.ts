import { recordEventAlone } from '../account/audit/audit.ts'
import { tool } from '../mcp/tool.ts'
import { ForgetArguments, Forgotten, forgetRecords } from '../memory/records/forget.ts'

export const forget = tool({
  name: 'forget',
  title: 'Delete memory',
  description:
    'Delete one record by its id, or all records of one source by its source_id, from the memory of this project. ' +
    'Use it when the user asks to forget something, or when a record is wrong and no newer one replaces it; find the id with search first. ' +
    'Give exactly one of id and source_id. Deleted records are no longer found; the operator of the service can restore them for a while.',
  access: 'write',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  args: ForgetArguments,
  result: Forgotten,
  run: async ({ service, caller, args }) => {
    const { result, wasShared } = await forgetRecords(service, caller, args)
    // The log is read by owners and admins, from whom the name of a source can be hidden as its records are.
    const source = wasShared ? (args.source_id ?? null) : null
    const target = args.id === undefined ? source : (result.ids[0] ?? null)
    await recordEventAlone(service, { kind: 'caller', caller }, { act: 'record.forget', target, details: { forgotten: result.forgotten } })
    return { result }
  },
})
