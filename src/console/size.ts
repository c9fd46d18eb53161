const COUNT = new Intl.NumberFormat('en-GB')
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** A whole number as people read it. */
export function toCount(count: number): string {
  return COUNT.format(count)
}

/** Bytes in the largest unit of which there is one, to one decimal. */
export function toSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const number = Math.round((bytes / 1024 ** step) * 10) / 10
  return `${COUNT.format(number)} ${UNITS[step]}`
}
