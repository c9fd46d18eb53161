import { Refusal } from '../../errors.ts'

/** Why a part of a session history is not accepted or not returned. */
export type UploadRefusalCode =
  | 'invalid'
  | 'not_agreed'
  | 'unknown_source'
  | 'erased'
  | 'gap'
  | 'too_large'
  | 'assistant_not_accepted'
  | 'quota'

/**
 * A part of a session history is not accepted, and nothing of it is stored. `details` are added to code and message of
 * the answer.
 */
export class UploadRefusal extends Refusal {
  constructor(
    readonly code: UploadRefusalCode,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message)
  }
}
