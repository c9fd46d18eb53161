import { Command } from 'commander'
import { COMMAND_LINE } from '../account/audit.ts'
import { Refusal } from '../errors.ts'
import { allowContent, isContentHash } from '../memory/allow.ts'
import { inspect } from '../memory/guard/inspect.ts'
import type { Verdict } from '../memory/guard/verdict.ts'
import { hashOf } from '../memory/pass-guard.ts'
import type { Cli } from './cli.ts'
import { findProject } from './find-project.ts'
import { type InProject, inProject } from './in-project.ts'
import { reports } from './report.ts'

/** `memsvc guard explain|allow` */
export function guardCommand(cli: Cli): Command {
  const command = new Command('guard').description('the Security Guard: why a record is rejected, and which may pass all the same')
  return command.addCommand(explain(cli)).addCommand(allow(cli))
}

function explain(cli: Cli): Command {
  return new Command('explain')
    .description('say what the guard thinks of a text, and why')
    .argument('<file>', "a file with the content of one record, or '-' for standard input")
    .option('--json', 'print one JSON value')
    .action(async (file: string, { json }: { json?: true }) => {
      const content = await readContent(cli, file)
      const explained = { hash: hashOf(content), ...inspect(content) }
      await cli.out(`${json ? JSON.stringify(explained) : toText(explained)}\n`)
    })
}

function toText({
  hash,
  rejected,
  reason,
  score,
  view,
  base,
  classifier,
  reporting,
  concealment,
  signs,
}: Verdict & { hash: string }): string {
  const points = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(2)}`
  return [
    `${rejected ? 'rejected' : 'passes'}: ${reason}`,
    `score ${score.toFixed(3)} (rejected from 0.5), read ${view}`,
    `points: base ${points(base)}, classifier ${points(classifier)}, reporting ${points(reporting)}, concealment ${points(concealment)}`,
    ...signs.map((sign) => `  ${points(sign.points)} ${sign.family}: ${sign.rule}: ${sign.words}${sign.described ? ' (described)' : ''}`),
    `hash ${hash}`,
  ].join('\n')
}

function allow(cli: Cli): Command {
  const command = new Command('allow')
    .description('let one content pass the guard in a project; saved again, it is remembered')
    .argument('<content>', "the hash that 'memsvc audit' and 'memsvc guard explain' show, a file, or '-' for standard input")
  return reports(cli, inProject(command), {
    act: async (service, named: InProject, given = '') => {
      const hash = isContentHash(given) ? given : hashOf(await readContent(cli, given))
      await allowContent(service, await findProject(service, named), hash, COMMAND_LINE)
      return { hash, allowed: true }
    },
    toText: ({ hash }) => `content ${hash} may be saved`,
  })
}

/** The content as an assistant would send it: without the line end that an editor puts last. */
async function readContent(cli: Cli, file: string): Promise<string> {
  if (file !== '-' && !(await Bun.file(file).exists())) throw new Refusal(`there is no file '${file}'`)
  const text = file === '-' ? await readAll(cli.input()) : await Bun.file(file).text()
  return text.replace(/\r?\n$/, '')
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of input) chunks.push(chunk)
  return new TextDecoder().decode(Buffer.concat(chunks))
}
