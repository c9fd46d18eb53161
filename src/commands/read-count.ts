import { InvalidArgumentError } from 'commander'

/** Returns a parser of an option's value for commander: a whole number from 1 to `max`. */
export const readCount = (max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > max) throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`)
  return value
}
