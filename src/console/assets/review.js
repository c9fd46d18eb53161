// The review with scripts: its keys, and acts that are sent one after the other while the next ones are chosen. Without scripts its buttons are plain forms.

/** How long an answer may take, and after how long an act that could not be sent is sent again. */
const ANSWER_MS = 30_000
const AGAIN_SECONDS = 5
/** Answers that say: later. */
const LATER = [429, 502, 503, 504]

/** The acts that are not settled, first come, first served; the first one may be under way. */
const acts = []
let isSending = false
/** Why no act is sent at present, and the timer after which one is. */
let hold
let timer

/** Where the focus was in the queue, to go on from there. */
let place = 0

/** Lists that the keys go through: the review, and the transcript of a session. */
const LISTS = ':is(#queue, .transcript)'

/** What may be acted on: all that is shown but what an act waits for. */
const openItems = () => [...document.querySelectorAll(`${LISTS} [data-item]:not([inert])`)]

const itemAtFocus = () => document.activeElement.closest(`${LISTS} [data-item]`)

/** The same for an item of the queue when it is shown anew. */
const nameOf = (item) => item?.querySelector('form').getAttribute('action')

function focusItem(items, at) {
  place = Math.max(0, Math.min(at, items.length - 1))
  items[place]?.focus({ preventScroll: true })
  items[place]?.scrollIntoView({ block: 'nearest' })
}

/** The letter or digit of a key: the one it types or, of other scripts and rows of digits, the one in its place on a US keyboard. */
function letterOf({ key, code }) {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : /^(?:Key|Digit|Numpad)(\w)$/.exec(code)?.[1].toLowerCase()
}

// J and K move from one record to the next, others press the button that is marked with them, and U undoes. A key that is held down acts once.
document.addEventListener('keydown', (event) => {
  const key = letterOf(event)
  const isElsewhere = event.target.closest('input, textarea, select') !== null || document.getElementById('jump')?.open
  if (
    key === undefined ||
    event.metaKey ||
    event.ctrlKey ||
    event.altKey ||
    isElsewhere ||
    document.querySelector(LISTS) === null
  )
    return
  const items = openItems()
  const at = items.indexOf(itemAtFocus())
  if (key === 'j' || key === 'k') focusItem(items, key === 'j' ? at + 1 : at - 1)
  else if (event.repeat) return
  else if (key === 'u') undo()
  else items[at]?.querySelector(`[data-key="${key}"]`)?.click()
})

/** Takes back the last act: out of the queue, if it was not sent, or else after its answer, which has the button for it. */
function undo() {
  const last = acts.at(-1)
  if (last?.isUndo) return
  if (acts.length > (isSending ? 1 : 0)) {
    acts.pop()
    markWaiting()
    focusItem(
      openItems(),
      openItems().findIndex((item) => item.querySelector(`form[action="${last.path}"]`) !== null),
    )
    report()
  } else if (isSending) acts.push({ isUndo: true })
  else document.querySelector('#messages .done button')?.click()
}

document.addEventListener('submit', (event) => {
  if (document.getElementById('queue') === null || !event.target.matches('#queue form, #messages form')) return
  event.preventDefault()
  const at = openItems().indexOf(event.target.closest('[data-item]'))
  acts.push(toAct(event.target))
  markWaiting()
  if (at >= 0) focusItem(openItems(), at)
  if (hold === undefined) send()
  else report()
})

function toAct(form) {
  const about = form.querySelector('button').ariaLabel ?? 'Undo'
  return { path: form.getAttribute('action'), body: new URLSearchParams(new FormData(form)), about }
}

/** What an act waits for can neither be seen as open nor be acted on again. */
function markWaiting() {
  for (const item of document.querySelectorAll('#queue [data-item]')) {
    item.inert = acts.some(({ path }) => item.querySelector(`form[action="${path}"]`) !== null)
  }
}

/** Sends the acts one after the other, until one cannot be sent at present: that is said, and tried again. */
async function send() {
  if (isSending) return
  isSending = true
  hold = undefined
  clearTimeout(timer)
  while (acts.length > 0 && hold === undefined) hold = await settleFirst()
  isSending = false
  if (hold?.seconds !== undefined) timer = setTimeout(send, hold.seconds * 1_000)
  report()
}

/** Sends the first act and shows what became of it. Returns why that was not possible: then the act still waits. */
async function settleFirst() {
  const undoing = acts[0].isUndo && document.querySelector('#messages .done form')
  if (undoing === null) return void acts.shift()
  const { path, body, about } = undoing ? toAct(undoing) : acts[0]
  let answer
  try {
    answer = await load(path, { method: 'POST', body })
  } catch {
    return {
      reason: navigator.onLine ? 'The service does not answer.' : 'This browser is offline.',
      seconds: AGAIN_SECONDS,
    }
  }
  const { response, page } = answer
  const reason =
    page.querySelector('[role="alert"], main h1 + p')?.textContent ?? `The service answers with ${response.status}.`
  if (LATER.includes(response.status))
    return { reason, seconds: Number(response.headers.get('retry-after')) || AGAIN_SECONDS }
  if (response.status === 401 || new URL(response.url).pathname === '/console/sign-in')
    return { reason: 'Your session has ended.', isSignedOut: true }
  acts.shift()
  if (response.ok && page.getElementById('queue') !== null) showQueue(page)
  else await showRefused(`${about}. ${reason}`)
}

async function load(path, init) {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(ANSWER_MS) })
  return { response, page: new DOMParser().parseFromString(await response.text(), 'text/html') }
}

/** Replaces the queue and what is said above it. The focus stays on its record or, if that is settled, in its place. */
function showQueue(page) {
  const name = nameOf(itemAtFocus())
  const isFocused = document.activeElement.closest('#queue') !== null || document.activeElement === document.body
  for (const id of ['queue', 'waiting']) document.getElementById(id)?.replaceWith(page.getElementById(id) ?? '')
  document.getElementById('messages').replaceChildren(...page.getElementById('messages').childNodes)
  document.title = page.title
  localize(document.getElementById('queue'))
  markWaiting()
  const items = openItems()
  const at = items.findIndex((item) => nameOf(item) === name)
  if (isFocused) focusItem(items, at < 0 ? place : at)
}

/** Says why an act was refused, and shows the queue as it is. */
async function showRefused(text) {
  document
    .getElementById('refused')
    .append(toNote('alarm', text, ['Dismiss', ({ target }) => target.closest('p').remove()]))
  // It is not of this act, which U would take back.
  document.getElementById('messages').replaceChildren()
  const path = new URL(window.location.href)
  for (const name of ['done', 'undo']) path.searchParams.delete(name)
  const { page } = await load(path).catch(() => ({}))
  if (page?.getElementById('queue')) showQueue(page)
  markWaiting()
}

/** Says how many acts wait, and why; nothing if none has to. */
function report() {
  const part = document.getElementById('unsent')
  if (hold === undefined || acts.length === 0) return void part.replaceChildren()
  const many = acts.length === 1 ? '1 act waits' : `${acts.length} acts wait`
  const text = `${hold.reason} ${many}; keep this page open.`
  // What a screen reader has said is not said again at every attempt.
  if (part.textContent.startsWith(text)) return
  const note = toNote('notice', text, ['Send now', send])
  if (hold.isSignedOut) {
    const link = Object.assign(document.createElement('a'), {
      href: '/console/sign-in',
      target: '_blank',
      textContent: 'Sign in',
    })
    note.lastChild.before(link, ' ')
  }
  part.replaceChildren(note)
}

/** A text with a button behind it. */
function toNote(look, text, [label, act]) {
  const note = Object.assign(document.createElement('p'), { className: look })
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'plain small',
    textContent: label,
  })
  button.addEventListener('click', act)
  note.append(text, ' ', button)
  return note
}

window.addEventListener('online', () => {
  if (acts.length > 0) send()
})

window.addEventListener('beforeunload', (event) => {
  if (acts.length > 0) event.preventDefault()
})
