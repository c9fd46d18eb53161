/**
 * Run in a browser's page: whether it must be scrolled sideways, text whose contrast is below 4.5 : 1 (WCAG 2.2,
 * 1.4.3), and ids that several elements have, of which a label finds only the first.
 */
export const PAGE_FACTS = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number)
  const light = (color) => {
    const [r, g, b] = channels(color).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor
      if (channels(color)[3] !== 0) return color
    }
    return 'rgb(255, 255, 255)'
  }
  const contrast = (element) => {
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))]
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  }
  const written = [...document.body.querySelectorAll('*')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== ''))
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  return {
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    sharedIds: ids.filter((id, at) => ids.indexOf(id) !== at),
    faint: written.filter((e) => contrast(e) < 4.5).map((e) => e.textContent),
  }
})()`
