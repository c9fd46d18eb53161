/** Stands for the host of a request of HTTP/1.0 that names none. Reserved by RFC 6761: nobody has it. */
const NO_HOST = 'http://host.invalid'

/** Whether an address can be made of the request's `Host`; true where it has none, as in HTTP/1.0. */
export function hasUsableHost({ url, headers }: Request): boolean {
  return URL.canParse(url) || headers.get('host') === null
}

/** The address a request was sent to. Never throws: where none can be made, the host is a reserved one that is nobody's. */
export function urlOf({ url }: Pick<Request, 'url'>): URL {
  return URL.parse(url) ?? URL.parse(`${NO_HOST}${url.startsWith('/') ? url : '/'}`) ?? new URL(NO_HOST)
}
