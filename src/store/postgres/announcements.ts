import type { SQL } from 'bun'
import { createClient } from './connection.ts'

/** A notification channel of the database, without payload. */
export type Announcements = {
  /** Whether announcements from now on will arrive, as far as this process knows. */
  isListening: () => boolean
  close: () => Promise<void>
}

/** Delay before listening is retried after the connection ended or could not be made, for instance on a standby. */
const RETRY_MS = 1_000

/**
 * Listens to a channel on a connection of its own, which is reopened when it breaks. `onAnnounced` is called for each
 * announcement, and whenever some may have been missed: when the connection ends, and when listening begins.
 */
export function listen(url: string, channel: string, onAnnounced: () => void, retryMs = RETRY_MS): Announcements {
  let client: SQL | undefined
  let isListening = false
  let retry: Timer | undefined
  let isClosed = false

  function setListening(value: boolean): void {
    isListening = value
    onAnnounced()
  }

  async function begin(): Promise<void> {
    const made = createClient(url, () => end(made))
    client = made
    await made.listen(channel, onAnnounced, () => setListening(true)).catch(() => end(made))
  }

  /** Bun's client would reconnect by itself, and print a line that is not an event of the log for each attempt. */
  function end(ended: SQL): void {
    if (client !== ended) return
    client = undefined
    ended.close({ timeout: 0 }).catch(() => {})
    setListening(false)
    if (!isClosed) retry = setTimeout(begin, retryMs).unref()
  }

  void begin()
  return {
    isListening: () => isListening,
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      await client?.close({ timeout: 0 }).catch(() => {})
    },
  }
}
