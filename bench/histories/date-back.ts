import { discover } from '../../src/agent/histories/discover.ts'
import type { HistorySource } from '../../src/agent/histories/source.ts'

const WEEK_MS = 7 * 86_400_000

/** The session that was written in a home, whose times are made those of so many weeks ago. */
export async function dateBack(home: string, week: number): Promise<HistorySource> {
  const find = async () =>
    (await discover({ environment: {}, home }, new Map(), Date.now())).find(({ kind }) => kind === 'main')
  const file = (await find())?.file ?? ''
  await Bun.write(file, toEarlier(await Bun.file(file).text(), week))
  const main = await find()
  if (main === undefined) throw new Error('there is no session')
  return main
}

function toEarlier(text: string, week: number): string {
  return text.replace(/"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, (time) =>
    JSON.stringify(new Date(Date.parse(JSON.parse(time)) - week * WEEK_MS).toISOString()),
  )
}
