import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead, StoredRecord, Visible } from '../../store/record.ts'
import { cutBeginning, MAX_ANSWER_CHARACTERS, type Shown, shareRoom } from './excerpt.ts'

/** Records read at once: with the longest contents some 0.5 MB. */
const TOGETHER = 8

/** The contents of records by id, in at most `room` characters in all; a longer one is cut to its beginning. What was forgotten meanwhile is not there. */
export async function readShown(
  project: Pick<ProjectReads, 'findRecordsBySeq'>,
  visible: Visible,
  heads: Pick<RecordHead, 'seq'>[],
  room: number,
): Promise<Map<string, Shown>> {
  const found: Pick<StoredRecord, 'id' | 'content'>[] = []
  for (let at = 0; at < heads.length; at += TOGETHER) {
    await yieldIfDue()
    const seqs = heads.slice(at, at + TOGETHER).map(({ seq }) => seq)
    for (const { id, content } of await project.findRecordsBySeq(visible, seqs)) {
      // One character more than is ever shown tells that it is cut.
      found.push({ id, content: content.slice(0, MAX_ANSWER_CHARACTERS + 1) })
    }
  }
  const shown = await shareRoom(found, room, cutBeginning)
  return new Map(found.map(({ id }, at) => [id, shown[at] ?? { content: '', excerpt: true }]))
}
