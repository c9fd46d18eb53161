/**
 * The message of the error with which the promise rejects; throws when it resolves. For what is handled in turns of the
 * event loop: `expect(…).rejects` runs the loop from within an assertion, where a task that waits for its next turn may
 * stand still for seconds.
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<string> {
  const outcome = await promise.then(
    () => 'resolved' as const,
    (error: unknown) => ({ error }),
  )
  if (outcome === 'resolved') throw new Error('the promise should have been rejected, and resolved')
  return outcome.error instanceof Error ? outcome.error.message : String(outcome.error)
}
