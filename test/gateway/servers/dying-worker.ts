/** A worker that dies of the first request. */
declare const self: Worker

self.onmessage = ({ data }) => {
  if (data.kind === 'request') throw new Error('died')
}
