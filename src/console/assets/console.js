// What a browser with scripts adds to the console's pages. Every page works without it.

/** The form in which the pages themselves have dates: in one list there are not two. */
const MINUTE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** Older times are shown as their date, in UTC as the page came. */
const DATE = { day: 'numeric', month: 'short', year: 'numeric' }
const DAY = new Intl.DateTimeFormat('en-GB', DATE)
const UTC_DAY = new Intl.DateTimeFormat('en-GB', { ...DATE, timeZone: 'UTC' })

/** The reader's own time zone, on hover and in dates. */
function localize(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    const local = MINUTE.format(at)
    if (time.title === '') time.textContent = local
    else if (time.textContent === UTC_DAY.format(at)) time.textContent = DAY.format(at)
    time.title = `${local} (your time)`
  }
}

/** A button beside everything that is there to be pasted elsewhere. Only a secure context has a clipboard. */
function addCopyButtons(root) {
  if (!navigator.clipboard) return
  for (const source of root.querySelectorAll('.secret, .paste')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain small copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(source.textContent.trim())
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2_000)
    })
    source.after(button)
  }
}

/** Tabs that are scrolled begin at the current one. */
function showCurrentTab() {
  for (const current of document.querySelectorAll('nav [aria-current="page"]')) {
    const list = current.closest('ul')
    list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2
  }
}

/** What was typed when Enter was pressed, until the links for it are there. */
let awaited

/** Ctrl-K and Cmd-K open the dialog that jumps elsewhere. */
function openJump() {
  const dialog = document.getElementById('jump')
  if (dialog?.open) return dialog.close()
  awaited = undefined
  dialog?.showModal()
  document.getElementById('jump-query').focus()
  if (dialog) window.htmx.trigger(dialog.querySelector('form'), 'open')
}

/**
 * In the dialog Enter follows the first link for what is typed, and the arrows go from one to the next; but not while
 * they choose among what an input method offers.
 */
function moveInJump(event) {
  if (event.isComposing) return
  const links = [...document.querySelectorAll('#jump .targets a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'Enter' && at < 0) {
    event.preventDefault()
    awaited = document.getElementById('jump-query').value.trim()
    followFirst()
  }
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  ;(links[to] ?? document.getElementById('jump-query')).focus()
}

function followFirst() {
  const list = document.getElementById('jump-targets')
  const isAsked = list.dataset.query === awaited && document.getElementById('jump-query').value.trim() === awaited
  if (!isAsked) return
  awaited = undefined
  list.querySelector('a')?.click()
}

document.addEventListener('keydown', (event) => {
  const isCommand = event.metaKey || event.ctrlKey
  if (isCommand && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
    event.preventDefault()
    openJump()
  } else if (document.getElementById('jump')?.open) moveInJump(event)
})

document.addEventListener('click', (event) => {
  if (event.target.closest('.jump') !== null && !event.metaKey && !event.ctrlKey) {
    event.preventDefault()
    openJump()
  }
  // One menu is open at a time, and a click beside it closes it.
  for (const open of document.querySelectorAll('.switcher[open], .filters[open]'))
    if (!open.contains(event.target)) open.open = false
})

document.addEventListener('htmx:load', (event) => {
  localize(event.detail.elt)
  addCopyButtons(event.detail.elt)
})

/** Sends the file of a form in parts, each after the one before: no proxy is asked to take much at once. A refusal is shown by the page that says it. */
async function sendFile(form) {
  const at = form.dataset.upload
  const file = form.elements.file.files[0]
  const bar = form.querySelector('progress')
  const post = async (path, body) => {
    const response = await fetch(`${at}/${path}`, { method: 'POST', body })
    if (response.ok) return response
    const refused = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
    document.querySelector('main').replaceWith(refused)
    throw new Error('refused')
  }
  const begun = await post(
    'begin',
    new URLSearchParams({ file: file.name, size: file.size, workspace: form.elements.workspace.value }),
  )
  const { id, part_bytes: partBytes } = await begun.json()
  bar.hidden = false
  for (let offset = 0; offset < file.size; offset += partBytes) {
    await post(
      `part?${new URLSearchParams({ id, offset })}`,
      file.slice(offset, offset + partBytes, 'application/octet-stream'),
    )
    bar.value = Math.min(1, (offset + partBytes) / file.size)
  }
  await post('check', new URLSearchParams({ id }))
  window.location.assign(at)
}

document.addEventListener('submit', (event) => {
  const form = event.target.closest('[data-upload]')
  if (form === null) return
  event.preventDefault()
  form.querySelector('button').disabled = true
  sendFile(form).catch(() => {
    if (form.isConnected) form.submit()
  })
})

// Filters that are empty are left out of the address.
document.addEventListener('htmx:configRequest', ({ detail }) => {
  if (detail.verb !== 'get') return
  for (const name of Object.keys(detail.parameters)) if (detail.parameters[name] === '') delete detail.parameters[name]
})

/** Does without scripts what could not be done in place: the page says why, or asks to sign in. */
function doPlainly(element) {
  if (element.matches('form')) element.submit()
  // What is shown once would be lost.
  else if (document.querySelector('.secret') === null) window.location.reload()
}

// What a form changes must not seem to be saved: sent anew, the browser says that there is no connection.
document.addEventListener('htmx:sendError', ({ detail }) => {
  if (detail.requestConfig.verb === 'post') doPlainly(detail.elt)
})

/**
 * Switches that were clicked while others were saved: they are posted next, as changes of what was saved, and the page
 * is shown after that. Returns whether there are any.
 */
function rebaseSwitches(form, saved) {
  if (`${new FormData(form).getAll('tool')}` === `${saved}`) return false
  for (const shown of form.querySelectorAll('[name="was.tool"]')) shown.remove()
  for (const value of saved)
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'was.tool', value }))
  return true
}

document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  const { elt, target, formData } = detail.requestConfig
  if (elt.matches('.switches') && detail.xhr.status < 400 && rebaseSwitches(elt, formData.getAll('tool')))
    detail.shouldSwap = false
  const part = elt.getAttribute('hx-select')
  // An answer without content changes nothing.
  if (part === null || !detail.shouldSwap) return
  // The reason of a refusal stands above the part.
  const isWhole = target.id === 'main' || detail.xhr.status < 400
  if (isWhole && detail.serverResponse.includes(`id="${part.slice(1)}"`)) return
  detail.shouldSwap = false
  doPlainly(elt)
})

document.addEventListener('htmx:afterSettle', ({ detail }) => {
  if (detail.elt.id === 'jump-targets') followFirst()
})

/** How often a page follows a project that changes all the time. */
const FOLLOW_MS = 5_000

/** Calls `act` at once, and then at most once in so many milliseconds; the last call is never left out. */
function atMostEvery(milliseconds, act) {
  let isResting = false
  let isDue = false
  const call = () => {
    isDue = isResting
    if (isResting) return
    act()
    isResting = true
    setTimeout(() => {
      isResting = false
      if (isDue) call()
    }, milliseconds)
  }
  return call
}

/**
 * Keeps the count in the menu as it is, and tells the part of the page that shows the project that it has changed. Only while the page is seen: a browser
 * opens six connections to a service for all its tabs. The service ends all but the last two streams of a browser; such a page follows again once it has the
 * focus.
 */
function listen() {
  const part = document.querySelector('[data-events]')
  if (part === null) return
  const tell = atMostEvery(FOLLOW_MS, () => window.htmx.trigger(document.querySelector('[data-events]'), 'changed'))
  // The first event tells what the page shows already, unless it was loaded out of sight, maybe long ago.
  let isPresent = !document.hidden
  let source
  const show = ({ data }) => {
    const count = document.getElementById('waiting')
    if (count !== null) {
      count.firstElementChild.textContent = data
      count.hidden = data === ''
    }
    const title = document.title.replace(/^\([\d,]+\) /, '')
    document.title = data === '' ? title : `(${data}) ${title}`
    if (!isPresent) tell()
    isPresent = false
  }
  const follow = () => {
    if (document.hidden) source?.close()
    else if (source === undefined || source.readyState === EventSource.CLOSED) {
      source = new EventSource(part.dataset.events)
      source.addEventListener('changed', show)
      source.addEventListener('replaced', ({ target }) => target.close())
    }
  }
  document.addEventListener('visibilitychange', follow)
  window.addEventListener('focus', follow)
  follow()
}

document.addEventListener('DOMContentLoaded', () => {
  showCurrentTab()
  listen()
})
