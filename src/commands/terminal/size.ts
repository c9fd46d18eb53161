const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** Bytes in the largest unit that is not larger than they are, to one decimal: `512 B`, `1.5 MiB`. */
export function toSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${UNITS[step]}`
}
