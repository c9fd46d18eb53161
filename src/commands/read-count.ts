import { InvalidArgumentError } from 'commander'

/** Reads the value of an option that is a whole number from 1 to `most`. */
export const readCount = (most: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`)
  return value
}
