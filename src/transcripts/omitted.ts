import { isObject } from '../jsonrpc.ts'

/**
 * Why a part of a line was omitted: images and other base64 data, texts that are too large, copies of other parts of
 * the histories (`copy`), and what only the maker of the model can read (`encrypted`).
 */
export type OmissionReason = 'image' | 'binary' | 'too_large' | 'copy' | 'encrypted'

/** Replaces an omitted part; `bytes` is the size of its JSON. */
export type Omitted = { $omitted: { bytes: number; reason: OmissionReason } }

export function toOmitted(bytes: number, reason: OmissionReason): Omitted {
  return { $omitted: { bytes, reason } }
}

/** Why a value of an uploaded line is missing, and the bytes that it had; undefined for a value that is there. */
export function omissionOf(value: unknown): { bytes?: unknown; reason?: unknown } | undefined {
  const omitted = isObject(value) ? value.$omitted : undefined
  return isObject(omitted) ? omitted : undefined
}

/** Something that was left out of an uploaded line. */
export type Omission = { reason: string; bytes: number }

/** Maximum number of omissions of a line that are named. */
const MAX_OMISSIONS = 20

/** What was left out of a line, as far as it may be known: the line may have been written by anybody. */
export function listOmissions(value: unknown, found: Omission[] = []): Omission[] {
  if (typeof value !== 'object' || value === null || found.length === MAX_OMISSIONS) return found
  const { reason, bytes } = omissionOf(value) ?? {}
  if (typeof reason === 'string' && typeof bytes === 'number') found.push({ reason, bytes })
  else for (const member of Object.values(value)) listOmissions(member, found)
  return found
}

/** Shorter data is omitted only if the whole text is data, since a short text may begin so by chance. */
export const MIN_DATA_CHARACTERS = 1_024

/** Number of characters of a text that `findDataReason` examines. */
export const DATA_HEAD_CHARACTERS = 64

/** PNG, JPEG, GIF, WebP, BMP and TIFF in base64 begin so. */
const IMAGE = /^(?:data:image\/|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|Qk[0-9A-Za-z+/]{4}A|SUkqA|TU0AK)/
/** PDF, ZIP (and office documents) in base64, and data of any kind in a URL. */
const BINARY = /^(?:data:[\w.+-]{1,64}\/[\w.+-]{1,64}[^,]{0,32};base64,|JVBERi0|UEsDB)/

/** Why a text of at least `MIN_DATA_CHARACTERS` is left out, by its first characters: it is a file in base64. */
export function findDataReason(head: string): OmissionReason | undefined {
  if (IMAGE.test(head)) return 'image'
  return BINARY.test(head) ? 'binary' : undefined
}

/** A data URL, or base64 and nothing else; the smallest images have 36 characters. */
const WHOLE_DATA = /^(?:data:[\w.+-]{1,100}\/[\w.+-]{1,100}(?:;[\w.=+-]{1,100}){0,4},|[A-Za-z0-9+/]{24,}={0,2}$)/

/**
 * Why a whole text of any length is left out: it is a file in base64, and what the file says of itself, such as where a
 * picture was taken, is in it.
 */
export function findFileReason(text: string): OmissionReason | undefined {
  const reason = findDataReason(text.slice(0, DATA_HEAD_CHARACTERS))
  return text.length >= MIN_DATA_CHARACTERS || WHOLE_DATA.test(text) ? reason : undefined
}
