/**
 * A value that is mostly there at once. On the way of a request these are told apart from what must be waited for: a turn of waiting
 * for what is there costs about as much as parsing the message.
 */
export type Soon<T> = T | Promise<T>

/** Goes on with the value, at once where it is there. */
export function after<T, Result>(coming: Soon<T>, next: (value: T) => Soon<Result>): Soon<Result> {
  return coming instanceof Promise ? coming.then(next) : next(coming)
}
