/** A path with a query; what is undefined or empty is left out. */
export function toQueryPath(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}
