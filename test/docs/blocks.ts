/** A fenced block of a page of documentation. */
export type Block = {
  language: string
  text: string
  /** Number of its first line in the page. */
  line: number
  /** Why its commands are not run, from a comment before it: `<!-- not run: needs docker -->`. */
  notRun: string | undefined
  /** The command whose output it shows, from a comment before it: `<!-- output of: memsvc status -->`. */
  outputOf: string | undefined
}

const FENCED = /(?:^<!-- (not run|output of): ([^\n]+) -->\n)?^```(\w*)\n(.*?)^```$/gms

export function readBlocks(page: string): Block[] {
  return [...page.matchAll(FENCED)].map(({ 1: mark, 2: said, 3: language = '', 4: text = '', index }) => ({
    language,
    text,
    line: page.slice(0, index).split('\n').length + (mark === undefined ? 1 : 2),
    notRun: mark === 'not run' ? said : undefined,
    outputOf: mark === 'output of' ? said : undefined,
  }))
}
