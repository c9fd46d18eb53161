declare module '*.css' {
  const text: string
  export = text
}

declare module '*.svg' {
  const text: string
  export = text
}

declare module '*/review.js' {
  const text: string
  export = text
}

declare module '*/console.js' {
  const text: string
  export = text
}

declare module 'htmx.org/dist/htmx.min.js' {
  const text: string
  export = text
}
