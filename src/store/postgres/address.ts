/** The URL of a database as it may be shown: without its user, password and parameters. */
export function toShownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
