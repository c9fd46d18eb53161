/** FNV-1a over UTF-16 units: 32 bits that stand for a term where only equality matters. Never 0. */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  return hash >>> 0 || 1
}
