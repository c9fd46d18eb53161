// What a browser with scripts adds to the console's pages. Every page works without it.

const MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The reader's own time zone, on hover. */
function localize(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const local = MINUTE.format(new Date(time.dateTime))
    if (time.title === '') time.textContent = local
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

/** Ctrl-K and Cmd-K open the page that jumps to others, as a dialog over this one. */
function openJump() {
  const dialog = document.getElementById('jump') ?? document.body.appendChild(document.createElement('dialog'))
  if (dialog.open) return dialog.close()
  dialog.id = 'jump'
  dialog.setAttribute('aria-label', 'Jump to a project, record or page')
  dialog.showModal()
  const { pathname } = window.location
  window.htmx.ajax('GET', `/console/jump?from=${encodeURIComponent(pathname)}`, { target: dialog, select: '#jump-box', swap: 'innerHTML' })
}

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
  event.preventDefault()
  openJump()
})

document.addEventListener('click', (event) => {
  if (event.target.closest('.jump') === null || event.metaKey || event.ctrlKey) return
  event.preventDefault()
  openJump()
})

// One menu is open at a time, and a click beside it closes it.
document.addEventListener('click', (event) => {
  for (const open of document.querySelectorAll('details.switcher[open]')) if (!open.contains(event.target)) open.open = false
})

document.addEventListener('htmx:load', (event) => {
  localize(event.detail.elt)
  addCopyButtons(event.detail.elt)
})
document.addEventListener('DOMContentLoaded', showCurrentTab)
