import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead, Visible } from '../../store/record.ts'

/** The records of a source that may be seen. */
type OfSource = { visible: Visible; workspaceId: number; sourceId: string }

/** Rows looked at in one turn of the event loop: with the longest contents they take some 2 ms. */
const EXAMINED = 16

/** Every record of a source that is not forgotten, without its content, in the order of saving, in slices between which others have their turn. */
export async function* eachOfSource(project: Pick<ProjectReads, 'listSourceSlice'>, source: OfSource): AsyncGenerator<RecordHead[]> {
  for (let afterSeq: number | undefined = 0; afterSeq !== undefined; ) {
    await yieldIfDue()
    const slice: Awaited<ReturnType<ProjectReads['listSourceSlice']>> = await project.listSourceSlice({
      ...source,
      afterSeq,
      examine: EXAMINED,
    })
    if (slice.heads.length > 0) yield slice.heads
    afterSeq = slice.next
  }
}
