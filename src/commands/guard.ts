import { actorNames } from '../account/audit/named-events.ts'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import { inspect } from '../guard/inspect.ts'
import type { Verdict } from '../guard/verdict.ts'
import { decideRelease } from '../memory/rejections/decide-release.ts'
import { isContentHash, type ReleaseRef, revokeRelease } from '../memory/rejections/releases.ts'
import { findCredentials, maskCredentials, toLineAndColumn } from '../secrets/credentials.ts'
import { sha256Hex } from '../secrets/secret.ts'
import type { Service } from '../service.ts'
import type { Release } from '../store/release.ts'
import { commandGroup, localCommand, type MakeCommand } from './command.ts'
import { onProject } from './service-command.ts'
import { readText } from './terminal/files.ts'
import { toOneLine, toTable, toTableTime } from './terminal/text.ts'

const explainCommand = localCommand('explain', 'show how the guard judges a text, and why', {
  arguments: { '<file>': "a file with the content of one record, or '-' for standard input" },
  act: async (cli, _options, file = '') => {
    const content = await readText(cli, file)
    return { hash: sha256Hex(content), ...(await inspectMasked(content)), credentials: await findPlaces(content) }
  },
  toText,
})

/** The verdict, with credentials masked in the text that it quotes. */
async function inspectMasked(content: string): Promise<Verdict> {
  const verdict = inspect(content)
  const masked = async <Quoting extends { words: string }>(one: Quoting) => ({
    ...one,
    words: await maskCredentials(one.words),
  })
  const reasons = await Promise.all(verdict.reasons.map(masked))
  return { ...verdict, reasons }
}

type Place = { kind: string; line: number; column: number }

/** The kind and the place of each credential in a text, without the credential itself. */
async function findPlaces(content: string): Promise<Place[]> {
  return (await findCredentials(content)).map(({ kind, start }) => ({ kind, ...toLineAndColumn(content, start) }))
}

function toText({
  credentials,
  hash,
  verdict,
  reasons,
  score,
  view,
}: Verdict & { hash: string; credentials: Place[] }): string {
  return [
    `${verdict}${reasons.length === 0 ? '' : ':'}`,
    ...reasons.map(({ says, words }) => `  ${says}${words === '' ? '' : `: “${toOneLine(words)}”`}`),
    `score ${score.toFixed(3)} (refused from 0.5), read ${view}`,
    `hash ${hash}`,
    ...credentials.map(
      ({ kind, line, column }) =>
        `line ${line}, column ${column} contains a credential (${kind}), which is another matter: 'memsvc account credentials'`,
    ),
  ].join('\n')
}

const allowCommand: MakeCommand = (cli) =>
  onProject('allow', 'let one text pass the guard in a project, with or without a request; it can then be saved', {
    arguments: {
      '<content>': "the hash that 'memsvc audit' and 'memsvc guard explain' show, a file, or '-' for standard input",
    },
    act: async (service, { id: projectId }, _options, given = '') => {
      const hash = isContentHash(given) ? given : sha256Hex(await readText(cli, given))
      await decideRelease(service, COMMAND_LINE, { projectId, hash, allowed: true })
      return { hash, allowed: true }
    },
    toText: ({ hash }) => `content ${hash} may be saved`,
  })(cli)

/** The largest number of releases that a project may have in one state. */
const MAX_LISTED = 1_000

const releasesCommand = (verb: string, state: Release['state'], help: string, nothing: string) =>
  onProject(verb, help, {
    act: async (service, { id }) => {
      const found = await service.store.project(id).listReleases({ state }, { limit: MAX_LISTED })
      const actorName = await actorNames(
        service,
        found.flatMap(({ askedBy, decidedBy }) => [askedBy, decidedBy]).filter((actor) => actor !== null),
      )
      return found.map((release) => toJson(release, actorName))
    },
    toText: (releases) =>
      toTable(
        ['HASH', 'ASKED', 'BY', 'DECIDED', 'BY', 'TEXT'],
        releases.map((one) => [
          one.hash,
          toTableTime(one.asked_at),
          one.asked_by ?? '-',
          toTableTime(one.decided_at),
          one.decided_by ?? '-',
          toOneLine(one.text ?? '-'),
        ]),
        nothing,
      ),
  })

function toJson({ hash, text, reason, why, ...release }: Release, actorName: (actor: string) => string) {
  const name = (actor: string | null) => (actor === null ? null : actorName(actor))
  return {
    hash,
    asked_by: name(release.askedBy),
    asked_at: toIsoTimeOrNull(release.askedAt),
    why,
    reason,
    decided_by: name(release.decidedBy),
    decided_at: toIsoTimeOrNull(release.decidedAt),
    text,
  }
}

const decisionCommand = (
  verb: string,
  done: string,
  help: string,
  decide: (service: Service, ref: ReleaseRef) => Promise<void>,
) =>
  onProject(verb, help, {
    arguments: { '<hash>': "as 'memsvc guard requests' and 'memsvc guard allowed' show it" },
    act: async (service, { id: projectId }, _options, hash = '') => {
      await decide(service, { projectId, hash })
      return { hash, [done]: true }
    },
    toText: ({ hash }) => `${done} text ${hash}`,
  })

export const guardCommand = commandGroup(
  'guard',
  'see why the Security Guard refuses or marks a record, and decide which may pass',
  [
    explainCommand,
    releasesCommand('requests', 'asked', 'list the texts that somebody asks to release', 'no requests'),
    allowCommand,
    decisionCommand(
      'decline',
      'declined',
      'refuse to release a text that somebody asked for, and erase it',
      (service, ref) => decideRelease(service, COMMAND_LINE, { ...ref, allowed: false }),
    ),
    releasesCommand('allowed', 'allowed', 'list the texts that may pass, the last decided first', 'no texts'),
    decisionCommand('revoke', 'revoked', 'no longer let a text pass; records with it stay', (service, ref) =>
      revokeRelease(service, COMMAND_LINE, ref),
    ),
  ],
)
