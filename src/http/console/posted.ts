import { LIGHT_BODY_BYTES } from '../../account/limits/traffic.ts'
import type { Service } from '../../service.ts'
import { announcedSize } from '../body.ts'
import { readForm } from '../form.ts'
import type { PageRequest } from './page-request.ts'

/** Posted bytes, with the file name if there was one. */
export type PostedFile = { name: string; bytes: Uint8Array }

/** Reads the body of a request by a signed-in member. */
export type ReadPosted = (service: Service, request: Request, req: PageRequest) => Promise<{ form: URLSearchParams; file: PostedFile }>

/** Maximum size of a form of a signed-in member: a record of 64 KiB fits, fully percent-encoded. */
export const MAX_FORM_BYTES = 262_144

const NO_FILE: PostedFile = { name: '', bytes: new Uint8Array() }

/** Reads a member's form. Throws TooMany if the memory for large bodies is in use. */
export const readMemberForm: ReadPosted = async (service, request, req) => ({
  form: await holdingBody(service, request, req.visitor.member.id, MAX_FORM_BYTES, () => readForm(request, MAX_FORM_BYTES)),
  file: NO_FILE,
})

/** Reads a body of at most `maxBytes` while the memory for it is counted. Throws TooMany if that for large bodies is in use. */
export async function holdingBody<Value>(
  service: Service,
  { headers }: Request,
  sender: string,
  maxBytes: number,
  read: () => Promise<Value>,
): Promise<Value> {
  const size = announcedSize(headers, maxBytes)
  if (size <= LIGHT_BODY_BYTES || size > maxBytes) return read()
  const release = service.traffic.hold(sender, size)
  try {
    return await read()
  } finally {
    release()
  }
}
