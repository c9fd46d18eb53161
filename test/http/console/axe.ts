import { source } from 'axe-core'
import type { Page } from 'playwright-core'

type Violation = { id: string; nodes: { target: string[]; failureSummary?: string }[] }

/**
 * What axe-core finds wrong with a page, each rule with the elements. It is run by the debugger, so that the page's
 * policy need not allow it; the page has to run scripts.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(`${source}; undefined`)
  const run = 'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations))'
  const found: Violation[] = JSON.parse(await page.evaluate<string>(run))
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
}
