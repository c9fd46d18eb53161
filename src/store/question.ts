/** A question that searches asked and no record answered. Nobody's name is kept with it. */
export type Question = {
  /** SHA-256 of the text without case and blanks, in hexadecimal; unique. */
  id: string
  /** Null once it is dismissed. */
  text: string | null
  /** How often it was asked. */
  asked: number
  /** When it was asked last, or dismissed. */
  at: number
}

export type QuestionReads = {
  findQuestion: (id: string) => Promise<Question | undefined>
  /** Those not dismissed, the most often asked first, then the last asked. */
  listQuestions: (page: { offset?: number; limit: number }) => Promise<Question[]>
  /** Number of those not dismissed. */
  countQuestions: () => Promise<number>
}

export type QuestionWrites = {
  /**
   * Adds questions, or counts them again if they are there; a dismissed one stays as it is. Of those not dismissed, and
   * of those dismissed, the `most` that were asked most often, then last, are kept.
   */
  addQuestions: (questions: Question[], most: number) => Promise<void>
  /** Erases the text of a question, whose id stays. */
  dismissQuestion: (id: string, at: number) => Promise<void>
  /** Erases a question, those asked or dismissed before the time, or all. */
  deleteQuestions: (which: { id: string } | { before: number } | 'all') => Promise<void>
}
