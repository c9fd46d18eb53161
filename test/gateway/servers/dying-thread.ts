/** A thread that dies of the first question. */
declare const self: Worker

self.onmessage = ({ data }) => {
  if (data.kind === 'ask') throw new Error('died')
}
