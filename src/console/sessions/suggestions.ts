import { Refusal } from '../../errors.ts'
import {
  listSuggestions,
  readSuggesting,
  requireSuggestion,
  setSuggesting,
  settleSuggestion,
  toSuggestionSource,
} from '../../history/suggestions/review.ts'
import { saveByHand } from '../../memory/records/save/remember.ts'
import { forgetRecords } from '../../memory/records/trash/forget.ts'
import { DEFAULT_WORKSPACE } from '../../memory/workspaces/workspace.ts'
import type { Suggestion } from '../../store/history.ts'
import type { Done } from '../done-messages.ts'
import { readReturnPath } from '../form.ts'
import { toButton } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { type Answer, done, type MemoryRequest, type ProjectRequest } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { toHeadline } from '../records/record-card.ts'
import { redirect, redirectUndoable, type Undoing } from '../response.ts'

/** What the buttons of a suggestion in the review do. */
export const SUGGESTION_FORMS = {
  '/:suggestion/keep': keep,
  '/:suggestion/dismiss': dismiss,
  '/:suggestion/restore': done<MemoryRequest>('suggestion.restored', (req) => settle(req, 'open')),
  '/:suggestion/take-back': takeBack,
}

const placeOf = ({ params, project }: MemoryRequest) => ({ projectId: project.id, id: params.suggestion ?? '' })

const settle = (req: MemoryRequest, state: Suggestion['state']) =>
  settleSuggestion(req.service, req.actor, { ...placeOf(req), state })

const backOf = ({ at }: MemoryRequest, form: URLSearchParams) => readReturnPath(form, at, at)

/** Saves what the visitor typed as a record for everybody, which they confirm by that. */
async function keep(req: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, path } = req
  const suggestion = await requireSuggestion(service, actor, placeOf(req))
  const { id, created, isContested } = await saveByHand(service, actor, {
    projectId: req.project.id,
    content: suggestion.text,
    workspace: DEFAULT_WORKSPACE,
    scope: 'shared',
    source_id: toSuggestionSource(suggestion),
    confirm: true,
  })
  await settle(req, 'kept')
  const message = created ? 'record.written' : 'record.known'
  const undoing = created ? toTakingBack(path, suggestion, id) : undefined
  return redirectUndoable(req, isContested ? 'record.contested' : message, undoing, backOf(req, form))
}

/** What undoes that a suggestion was kept as a record. */
export const toTakingBack = (path: string, suggestion: Suggestion, record: string): Undoing => ({
  action: `${path}/review/${suggestion.id}/take-back`,
  fields: { record },
})

/** Forgets the record that was made of a suggestion, which waits again unless it is erased or suggestions are ended. */
async function takeBack(req: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, project } = req
  await forgetRecords(service, actor, { projectId: project.id, id: form.get('record') ?? '' })
  const message = await settle(req, 'open').then(
    (): Done => 'suggestion.taken-back',
    (): Done => 'record.forgotten',
  )
  return redirect(backOf(req, form), message)
}

async function dismiss(req: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  await settle(req, 'dismissed')
  const action = `${req.at}/${placeOf(req).id}/restore`
  return redirectUndoable(req, 'suggestion.dismissed', { action }, backOf(req, form))
}

/** The visitor's suggestions; none if their sessions are not open to them. */
export async function readSuggestions({
  service,
  actor,
  project,
}: Pick<ProjectRequest, 'service' | 'actor' | 'project'>): Promise<Suggestion[]> {
  try {
    return await listSuggestions(service, actor, project.id)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** Each with its words, a link to its line, and what can be done with it. */
export function toSuggestionCards(path: string, back: string, suggestions: Suggestion[]): Html[] {
  return suggestions.map(({ id, text, sourceId, line, createdAt }) => {
    const at = `${path}/review/${id}`
    const looks = { fields: { back }, about: toHeadline(text) }
    const session = toQueryPath(`${path}/sessions/${sourceId}`, { from: String(line) })
    const edit = toQueryPath(`${path}/records/new`, { suggestion: id })
    return html`<article class="record" tabindex="-1" data-item><div>
<h3 dir="auto">${text}</h3>
<p class="meta"><a href="${session}#l${line}">your session, line ${line}</a>${toTime(createdAt)}</p>
<div class="row">${toButton(`${at}/keep`, 'Keep', { ...looks, key: 'v', look: 'main' })}<a class="button small" href="${edit}" data-key="e" aria-label="Edit: ${looks.about}">Edit</a>${toButton(`${at}/dismiss`, 'Dismiss', { ...looks, key: 'f' })}</div>
</div></article>`
  })
}

/** Agrees to suggestions or ends them. */
export async function switchSuggestions(req: ProjectRequest, form: URLSearchParams): Promise<Answer> {
  const isOn = form.get('on') === 'yes'
  await setSuggesting(req.service, req.actor, req.project.id, isOn)
  return isOn ? 'suggestions.on' : 'suggestions.off'
}

/** What suggestions are, and the button that switches them. */
export async function toSwitch({ service, actor, project, path, at }: ProjectRequest): Promise<Html> {
  const isOn = await readSuggesting(service, actor, project.id)
  const button = toButton(`${at}/suggestions`, isOn ? 'End suggestions' : 'Suggest records', {
    fields: { on: isOn ? 'no' : 'yes' },
  })
  const told = isOn
    ? html`Records are suggested from your sessions, to you alone, under <a href="${path}/review">Review</a>.`
    : 'What you typed and sounds like a rule that stays can be suggested as a record, to you alone, under Review. Nothing is saved before you keep it.'
  return html`<section><h2>Suggestions</h2>
<p class="quiet">${told}</p>
<div class="row">${button}</div>
</section>`
}
