/**
 * A value that is mostly there at once. On the way of a request these are told apart from what must be waited for: under load one
 * turn of waiting costs as much as reading the message, and there were ten of them.
 */
export type Soon<T> = T | Promise<T>

/** Goes on with the value, at once where it is there. */
export function after<T, Result>(coming: Soon<T>, next: (value: T) => Soon<Result>): Soon<Result> {
  return coming instanceof Promise ? coming.then(next) : next(coming)
}
