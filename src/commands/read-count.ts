import { InvalidArgumentError } from 'commander'

/** Returns a parser of an option's value for commander: a whole number from `min` to `max`. */
export const readCount =
  (max: number, min = 1) =>
  (text: string) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    return value
  }
