import { Command, Option } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { issueKey } from '../../account/keys/issue-key.ts'
import { findClientSetup } from '../../console/project/client-setup.ts'
import { KEY_HOLDERS, requireKeyHolder } from '../../mcp-clients.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import { toBaseUrl } from '../base-url.ts'
import type { Cli } from '../cli.ts'
import { findMember, findProject } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toIssuedText, toListedKey } from './listed.ts'

type Options = { project: string; account?: string; member?: string; label?: string; expires?: string; client?: string; underscored?: true }

/** `memsvc key issue` */
export function issueCommand(cli: Cli): Command {
  const command = new Command('issue')
    .description('issue a key and print it; it is not shown again')
    .requiredOption('--project <project>', 'name or id')
    .option('--account <account>', 'name or id; only needed if several accounts have a project of that name')
    .option('--member <member>', 'e-mail or id of its holder; without one it is a service key')
    .option('--label <text>', 'its name in lists')
    .option('--expires <time>', 'a date, or a time with a zone')
    .addOption(clientOption())
    .option('--underscored', "list integrations' tools as <slug>__<tool>, whatever the client")
  return defineCommand(cli, command, {
    act: async (service, options: Options) => {
      const member = await findMember(service, options.member)
      const client = options.client === undefined ? undefined : requireKeyHolder(options.client)
      const wish = {
        label: options.label,
        member,
        expiresAt: options.expires === undefined ? undefined : readTime('--expires', options.expires),
        toolNames: options.underscored ? ('underscored' as const) : client?.toolNames,
      }
      const { secret, key } = await issueKey(service, COMMAND_LINE, { project: await findProject(service, options), ...wish })
      const setup = client && findClientSetup(client.id, `${toBaseUrl(service.config)}/mcp`, secret)
      return { key: secret, ...toListedKey(key, member, service.clock.now()), ...(setup && { setup }) }
    },
    toText: (issued) => [toIssuedText(issued), ...(issued.setup ? [`${issued.setup.where}:\n${issued.setup.text}`] : [])].join('\n\n'),
  })
}

function clientOption(): Option {
  const ids = KEY_HOLDERS.map(({ id }) => id)
  return new Option('--client <client>', "the client that will use it; decides how integrations' tools are named").choices(ids)
}
