import { isObject, tryParseJson } from '../../jsonrpc.ts'

/** The client's input to a hook. */
export type HookInput = {
  /** The client's name of the event. */
  event: string
  session: string
  /** The folder that the session works in. */
  dir: string
  /** Why a session starts: `startup`, `resume`, `clear`, `compact`. */
  source: string
  /** Whether the client continues only because a hook requested it. */
  isContinued: boolean
  /** The file of the session's history. */
  transcript: string | undefined
}

const MAX_INPUT_BYTES = 4 * 2 ** 20

/** Reads the client's input to a hook; undefined if it is too large or not a JSON object. */
export async function readHookInput(
  input: AsyncIterable<Uint8Array>,
  usualDir: string,
): Promise<HookInput | undefined> {
  const value = await readObject(input)
  if (value === undefined) return undefined
  const [root] = Array.isArray(value.workspace_roots) ? value.workspace_roots : []
  return {
    event: toText(value.hook_event_name) ?? '',
    session: toText(value.session_id) ?? toText(value.conversation_id) ?? '',
    dir: toText(value.cwd) ?? toText(root) ?? usualDir,
    source: toText(value.source) ?? '',
    isContinued: value.stop_hook_active === true || Number(value.loop_count ?? 0) > 0,
    transcript: toText(value.transcript_path),
  }
}

/** Only one object is sent, but some clients leave the pipe open after it. */
async function readObject(input: AsyncIterable<Uint8Array>): Promise<Record<string, unknown> | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of input) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > MAX_INPUT_BYTES) return undefined
    const value = /\}\s*$/.test(text) ? tryParseJson(text) : undefined
    if (isObject(value)) return value
  }
  return undefined
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
