import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { Refusal } from '../../errors.ts'
import { listSourceIds } from '../../memory/records/bulk/list-ids.ts'
import { moveRecord } from '../../memory/records/bulk/move.ts'
import { forgetRecords } from '../../memory/records/trash/forget.ts'
import { restoreRecord } from '../../memory/records/trash/restore.ts'
import { unverifyRecord, verifyRecord } from '../../memory/records/verify.ts'
import { EVERY_WORKSPACE } from '../../memory/search/request.ts'
import { DEFAULT_WORKSPACE } from '../../memory/workspaces/workspace.ts'
import type { Service } from '../../service.ts'
import type { Project } from '../../store/account.ts'
import type { MakeCommand, OptionSpecs, OptionsOf } from '../command.ts'
import { onProject } from '../service-command.ts'
import { countOf } from '../terminal/text.ts'
import { toViewer } from './list.ts'

/** The id of a record for which an act was refused, and the reason. */
type Refused = { id: string; reason: string }

/** Runs `act` for one record after the other. A Refusal is collected, and does not stop the rest; other errors do. */
async function eachRecord<Done>(
  ids: string[],
  act: (id: string) => Promise<Done>,
): Promise<{ done: Done[]; refused: Refused[] }> {
  const done: Done[] = []
  const refused: Refused[] = []
  for (const id of ids) {
    try {
      done.push(await act(id))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push({ id, reason: error.message })
    }
  }
  return { done, refused }
}

/** The message for exit status 1 if some records were refused; undefined if none was. */
function toPartRefusal(done: unknown[], refused: Refused[], participle: string): string | undefined {
  if (refused.length === 0) return undefined
  const all = done.length + refused.length
  return `${refused.length} of ${countOf(all, 'record')} ${all === 1 ? 'was' : 'were'} not ${participle}`
}

const toRefusedLines = (refused: Refused[], participle: string) =>
  refused.map(({ id, reason }) => `not ${participle} ${id}: ${reason}`)

type Ref = { projectId: string; id: string }

/** An act on each of several records. In the JSON output, its results stand under the participle. */
type RecordAct<Specs extends OptionSpecs, Done> = {
  options?: Specs
  /** The records, where options may name them in place of ids. */
  listIds?: (service: Service, project: Project, options: OptionsOf<Specs>, ids: string[]) => Promise<string[]>
  act: (service: Service, ref: Ref, options: OptionsOf<Specs>) => Promise<Done>
  toLines: (done: Done[], options: OptionsOf<Specs>) => string[]
}

function onRecords<const Specs extends OptionSpecs, Done>(
  verb: string,
  participle: string,
  help: string,
  { options, listIds, act, toLines }: RecordAct<Specs, Done>,
): MakeCommand {
  return onProject(verb, help, {
    arguments: { [listIds === undefined ? '<id...>' : '[id...]']: '' },
    options: (options ?? {}) as OptionSpecs,
    act: async (service, project, given, ...named) => {
      const options = given as OptionsOf<Specs>
      const ids = listIds === undefined ? named : await listIds(service, project, options, named)
      return { options, ...(await eachRecord(ids, (id) => act(service, { projectId: project.id, id }, options))) }
    },
    // `move` names the workspace before its results.
    toJson: ({ options, done, refused }) => ({
      ...('to' in options && { workspace: options.to }),
      [participle]: done,
      refused,
    }),
    toText: ({ options, done, refused }) =>
      [...toLines(done, options), ...toRefusedLines(refused, participle)].join('\n'),
    refusal: ({ done, refused }) => toPartRefusal(done, refused, participle),
  })
}

/** The record that has taken the place of one, as the end of a line. */
const toSuperseded = (newer: string | null) => (newer === null ? '' : `, superseded by ${newer}`)

export const verifyCommand = onRecords(
  'verify',
  'verified',
  'confirm records; they supersede the other records of their fact keys',
  {
    act: async (service, ref) => {
      const { superseded } = await verifyRecord(service, COMMAND_LINE, ref)
      return { id: ref.id, superseded: superseded.map((other) => other.id) }
    },
    toLines: (verified) =>
      verified.map(
        ({ id, superseded }) =>
          `verified ${id}${superseded.length > 0 ? `, superseding ${superseded.join(', ')}` : ''}`,
      ),
  },
)

export const unverifyCommand = onRecords(
  'unverify',
  'unverified',
  'withdraw the verification of records; the newest record of a fact is current again',
  {
    act: async (service, ref) => {
      const { record } = await unverifyRecord(service, COMMAND_LINE, ref)
      return { id: ref.id, status: record.status, superseded_by: record.supersededBy }
    },
    toLines: (unverified) => unverified.map(({ id, superseded_by: newer }) => `unverified ${id}${toSuperseded(newer)}`),
  },
)

export const restoreCommand = onRecords('restore', 'restored', 'restore forgotten records', {
  act: async (service, ref) => {
    const { record, workspace } = await restoreRecord(service, COMMAND_LINE, ref)
    return { id: ref.id, workspace, superseded_by: record.supersededBy }
  },
  toLines: (restored) =>
    restored.map(
      ({ id, workspace, superseded_by: newer }) => `restored ${id} into '${workspace}'${toSuperseded(newer)}`,
    ),
})

function requireIdsOrSource(source: string | undefined, ids: string[]): void {
  if ((source === undefined) === (ids.length === 0)) throw new Refusal('give the ids of records, or --source')
}

export const forgetCommand = onProject('forget', "forget records; 'memsvc record restore' restores them", {
  arguments: { '[id...]': 'the records' },
  options: {
    '--source <id>': 'all records of this source instead',
    '--stale': 'only the stale records of the source',
    '--workspace <name>': "the workspace of the source, '*' for all; 'default' if left out",
  },
  act: async (service, { id: projectId }, { source, stale, workspace }, ...ids) => {
    requireIdsOrSource(source, ids)
    const everywhere = source !== undefined && workspace === EVERY_WORKSPACE
    const place = { everywhere, ...(stale && { stale }), ...(workspace !== undefined && { workspace }) }
    if (source === undefined)
      return forgetEach(ids, (id) => forgetRecords(service, COMMAND_LINE, { projectId, id, ...place }))
    return { ...(await forgetRecords(service, COMMAND_LINE, { projectId, source_id: source, ...place })), refused: [] }
  },
  toText: ({ forgotten, verified, current_again: again, refused }) =>
    [
      `forgot ${countOf(forgotten, 'record')}${verified > 0 ? `, ${verified} of them verified` : ''}`,
      ...again.map(({ id }) => `${id} is current again`),
      ...toRefusedLines(refused, 'forgotten'),
    ].join('\n'),
  refusal: ({ ids, refused }) => toPartRefusal(ids, refused, 'forgotten'),
})

async function forgetEach(ids: string[], forget: (id: string) => ReturnType<typeof forgetRecords>) {
  const { done, refused } = await eachRecord(ids, forget)
  return {
    forgotten: done.length,
    ids: done.flatMap((one) => one.ids),
    verified: done.reduce((sum, { verified }) => sum + verified, 0),
    current_again: done.flatMap((one) => one.current_again),
    refused,
  }
}

export const moveCommand = onRecords(
  'move',
  'moved',
  'move records into another workspace, where the rules of their fact keys apply',
  {
    options: {
      '--to <workspace>': { help: 'created if it does not exist', isRequired: true },
      '--source <id>': 'all records of this source instead of ids',
      '--workspace <name>': "the workspace of the source, '*' for all; 'default' if left out",
    },
    listIds: async (service, project, { source, workspace = DEFAULT_WORKSPACE }, ids) => {
      requireIdsOrSource(source, ids)
      if (source === undefined) return ids
      const of = { sourceId: source, workspace: workspace === EVERY_WORKSPACE ? undefined : workspace }
      return listSourceIds(service, toViewer(project), of, Number.POSITIVE_INFINITY)
    },
    act: async (service, ref, { to }) => {
      const { record, returned } = await moveRecord(service, COMMAND_LINE, { ...ref, workspace: to })
      return {
        id: ref.id,
        status: record.status,
        superseded_by: record.supersededBy,
        current_again: returned.map((other) => other.id),
      }
    },
    toLines: (moved, { to }) => [
      ...moved.map(({ id, superseded_by: newer }) => `moved ${id} to '${to}'${toSuperseded(newer)}`),
      ...moved.flatMap(({ current_again: again }) => again.map((other) => `${other} is current again`)),
    ],
  },
)
