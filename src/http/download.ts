import type { Service } from '../service.ts'
import { toBody } from './chunks.ts'

type Download = {
  /** The file in pieces, generated as fast as the client reads it. */
  pieces: AsyncGenerator<string | Uint8Array, void>
  /** The media type, without a character set. */
  type: string
  /** The file name without its extension. Only letters and digits of it are used, since people choose names. */
  name: string
  extension: string
}

const MAX_NAME_CHARACTERS = 100

/** A text that a browser saves as a file instead of showing it. */
export function toDownload(service: Service, { pieces, type, name, extension }: Download): Response {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, MAX_NAME_CHARACTERS)
  return new Response(toBody(service, pieces), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${plain}.${extension}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  })
}
