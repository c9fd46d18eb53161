import { OutboundError } from '../../errors.ts'
import { createMemoryBudget, createReservation, type Reservation } from './memory-budget.ts'

/**
 * Requests in progress, and large results until they have been read. Each request holds its share of the memory for
 * answers.
 */
type OpenRequests = {
  /** `signal` is aborted when the request is released, and if a large answer takes too long to arrive. */
  open: (id: number, accountId: string) => { signal: AbortSignal; reservation: Reservation }
  isOpen: (id: number) => boolean
  /**
   * Keeps the text of a large result for `pull`. Returns false, and keeps nothing, for a small one and for a request
   * that was released.
   */
  keep: (id: number, text: string) => boolean
  /** The next chunk of a kept text without its closing brace, in UTF-8; undefined after the last one. */
  pull: (id: number) => Uint8Array<ArrayBuffer> | undefined
  /** Cancels a request in progress and frees what it holds. */
  release: (id: number) => void
}

type OpenRequest = {
  controller: AbortController
  reservation: Reservation
  /** The part of a kept text that has not been pulled yet. */
  unread: string
  arrivalTimer: ReturnType<typeof setTimeout> | undefined
}

/** How long a large answer may take to arrive once it has its permit, since others wait for that. */
const MAX_ARRIVAL_MS = 30_000
const CHUNK_CHARACTERS = 131_072

export function createOpenRequests(): OpenRequests {
  const requests = new Map<number, OpenRequest>()
  const memory = createMemoryBudget()

  function startArrivalTimer(id: number): void {
    const own = requests.get(id)
    if (own === undefined) return
    own.arrivalTimer = setTimeout(
      () => own.controller.abort(new OutboundError('timeout', MAX_ARRIVAL_MS)),
      MAX_ARRIVAL_MS,
    )
  }

  return {
    open: (id, accountId) => {
      const controller = new AbortController()
      const reservation = createReservation(memory, accountId, controller.signal, () => startArrivalTimer(id))
      requests.set(id, { controller, reservation, unread: '', arrivalTimer: undefined })
      return { signal: controller.signal, reservation }
    },
    isOpen: (id) => requests.has(id),
    keep: (id, text) => {
      const own = requests.get(id)
      clearTimeout(own?.arrivalTimer)
      if (own === undefined || !own.reservation.isHeld()) return false
      own.unread = text.slice(0, -1)
      return true
    },
    pull: (id) => {
      const own = requests.get(id)
      if (own === undefined || own.unread === '') return undefined
      const chunk = own.unread.slice(0, endOfChunk(own.unread))
      own.unread = own.unread.slice(chunk.length)
      return new TextEncoder().encode(chunk)
    },
    release: (id) => {
      const own = requests.get(id)
      requests.delete(id)
      clearTimeout(own?.arrivalTimer)
      own?.controller.abort(new OutboundError('cancelled'))
      own?.reservation.release()
    },
  }
}

/** Where a chunk ends: never inside a surrogate pair. */
function endOfChunk(text: string): number {
  const isHighSurrogate = (text.charCodeAt(CHUNK_CHARACTERS - 1) & 0xfc00) === 0xd800
  return isHighSurrogate ? CHUNK_CHARACTERS - 1 : CHUNK_CHARACTERS
}
