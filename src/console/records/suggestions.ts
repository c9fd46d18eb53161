import { Refusal } from '../../errors.ts'
import { listSuggestions, readSuggestion, settleSuggestion, toSessionName } from '../../history/suggestions/review.ts'
import { saveByHand } from '../../memory/records/save/save-by-hand.ts'
import { DEFAULT_WORKSPACE } from '../../memory/workspaces/workspace.ts'
import type { Suggestion } from '../../store/history.ts'
import type { Done } from '../done-messages.ts'
import { readReturnPath } from '../form.ts'
import { toButton, toField, toSelect, toTextArea } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { type Answer, openProject, type PageContent, type ProjectRequest, pageOf } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { redirect } from '../response.ts'
import { toAnchor, toHeadline, toRecordList } from './record-card.ts'
import { toScopeOptions } from './record-form.ts'
import { readScope } from './write.ts'

/** The page on which a suggestion is edited, and the actions on one from the review. */
export const suggestion = pageOf(openProject, {
  path: '/console/projects/:project/suggestions/:suggestion',
  show: showSuggestion,
  forms: {
    '': { act: keep, refused: showSuggestion },
    '/dismiss': (req, form) => settle(req, form, 'dismissed', 'suggestion.dismissed'),
    '/reopen': (req, form) => settle(req, form, 'open', 'suggestion.reopened'),
  },
})

const placeOf = ({ params, project }: ProjectRequest) => ({ projectId: project.id, id: params.suggestion ?? '' })

async function settle(
  req: ProjectRequest,
  form: URLSearchParams,
  state: 'dismissed' | 'open',
  done: Done,
): Promise<Answer> {
  const place = placeOf(req)
  await settleSuggestion(req.service, req.actor, { ...place, state })
  return redirectBack(req, form, done)
}

const redirectBack = (req: ProjectRequest, form: URLSearchParams, done: Done) =>
  redirect(readReturnPath(form, req.path, `${req.path}/review`), done, { query: { id: placeOf(req).id } })

/** Saves the quote, or what was made of it, as a record that the person confirms. */
async function keep(req: ProjectRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor } = req
  const place = placeOf(req)
  const { text, sourceId } = await readSuggestion(service, actor, place)
  const factKey = form.get('fact_key')?.trim() ?? ''
  await saveByHand(service, actor, {
    projectId: place.projectId,
    content: form.get('content')?.replaceAll('\r\n', '\n') ?? text,
    workspace: form.get('workspace')?.trim() || DEFAULT_WORKSPACE,
    scope: readScope(form.get('scope') ?? 'shared'),
    source_id: toSessionName(sourceId),
    ...(factKey !== '' && { fact_key: factKey }),
    confirm: true,
  })
  await settleSuggestion(service, actor, { ...place, state: 'kept' })
  return redirectBack(req, form, 'suggestion.kept')
}

async function showSuggestion(req: ProjectRequest): Promise<PageContent> {
  const { service, actor, caller, path, at } = req
  const found = await readSuggestion(service, actor, placeOf(req))
  const back = `${path}/review`
  const body = html`<p class="back"><a href="${back}">Review</a></p>
<h1>Keep what you said</h1>
<form method="post" action="${at}" class="panel">
${toTextArea({ name: 'content', label: 'Text', value: found.text, required: true, hint: 'A fact, decision or note, in one or a few sentences that still make sense without what is around them.' })}
<div class="grid">
${toField({ name: 'fact_key', label: 'Fact key', maxlength: 128, hint: 'A stable name, where the fact may change. It supersedes what the key says now.' })}
${toField({ name: 'workspace', label: 'Workspace', value: DEFAULT_WORKSPACE, maxlength: 64 })}
${toSelect({ name: 'scope', label: 'Who finds it', value: 'shared' }, toScopeOptions(caller.departmentId !== undefined))}
</div>
<p class="quiet">${toLineLink(path, found)}. The record says only <code>${toSessionName(found.sourceId)}</code>, which leads nobody else there.</p>
<div class="actions"><button class="main">Keep</button><a class="button" href="${back}">Cancel</a></div>
</form>`
  return { title: 'Keep what you said', section: back, body }
}

const toLineLink = (path: string, { sourceId, line }: Suggestion): Html =>
  html`<a href="${toQueryPath(`${path}/sessions/${sourceId}`, { from: String(line) })}#l${line}">Line ${line} of your session</a>`

/** The visitor's suggestions, as a part of the review; none if their sessions are not open to them. */
export async function readSuggested({ service, actor, project }: ProjectRequest): Promise<Suggestion[]> {
  try {
    return await listSuggestions(service, actor, project.id)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

const SIGNALS = { lasting: 'said to last', repeated: 'said before' }

/** The part of the review with what the visitor said; undefined if there is nothing. */
export function toSuggested(path: string, back: string, suggestions: Suggestion[]): Html | undefined {
  if (suggestions.length === 0) return undefined
  const cards = suggestions.map((one) => {
    const at = `${path}/suggestions/${one.id}`
    const looks = { fields: { back }, about: toHeadline(one.text) }
    return html`<article class="record" id="${toAnchor(one.id)}" tabindex="-1" data-item><div>
<p class="content" dir="auto">${one.text}</p>
<p class="meta"><span>${SIGNALS[one.signal]}</span><span>${toLineLink(path, one)}</span>${toTime(one.createdAt)}</p>
<div class="row">${toButton(at, 'Keep', { ...looks, key: 'v', look: 'main' })}<a class="button small" href="${at}" data-key="e">Edit</a>${toButton(`${at}/dismiss`, 'Dismiss', { ...looks, key: 'f' })}</div>
</div></article>`
  })
  return html`<section><h2>From your sessions</h2>
<p class="quiet">What you typed, and may want to keep. Only you see this. Kept, everybody in the project finds it; <em>Edit</em> lets you choose who. Switch it off under <a href="${path}/sessions">Sessions</a>.</p>
${toRecordList(cards)}
</section>`
}
