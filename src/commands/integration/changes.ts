import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { acceptTools, reviewToolChanges } from '../../gateway/tool-changes.ts'
import { type DiffLine, toToolDiffs } from '../../gateway/tool-diff.ts'
import { onIntegration } from './options.ts'

export const changesCommand = onIntegration(
  'changes',
  'show the tools that are withheld, since its server changed or added them',
  {
    act: async (service, integration) => {
      const { changes, total, seen } = await reviewToolChanges(service, COMMAND_LINE, integration)
      const diffs = await toToolDiffs(changes)
      const tools = changes.map(({ before, after }, at) => ({
        tool: after.name,
        is_new: before === undefined,
        diff: toDiffText(diffs[at] ?? []),
      }))
      return { slug: integration.slug, withheld: total, seen, tools }
    },
    toText: ({ slug, withheld, seen, tools }) => {
      if (withheld === 0) return `${slug} has no tools that wait to be accepted`
      const shown = tools.map(({ tool, is_new, diff }) => `${tool} (${is_new ? 'new' : 'changed'})\n${diff}\n`)
      const more = withheld > tools.length ? `${withheld - tools.length} more are shown once these are accepted\n` : ''
      return `${shown.join('\n')}\n${more}accept with: memsvc integration accept ${slug} --seen ${seen}`
    },
  },
)

const MARKS: Record<DiffLine['kind'], string> = { same: '  ', removed: '- ', added: '+ ', gap: '  ' }

function toDiffText(lines: DiffLine[]): string {
  return lines.map(({ kind, text }) => MARKS[kind] + text).join('\n')
}

export const acceptCommand = onIntegration('accept', 'offer tools whose changes you have seen', {
  options: {
    '--seen <code>': {
      help: "what 'integration changes' ends with; it stands for exactly the changes that were shown",
      isRequired: true,
    },
    '--tool <tool>': 'accept only this tool, by its own name',
  },
  act: async (service, integration, { seen, tool }) => ({
    slug: integration.slug,
    accepted: await acceptTools(service, COMMAND_LINE, integration, { seen, tool }),
  }),
  toText: ({ slug, accepted }) => `${slug} offers ${accepted.join(', ')} from the next call on`,
})
