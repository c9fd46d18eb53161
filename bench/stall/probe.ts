import { readThreadTime } from './thread-time.ts'

// Loaded into the service before it starts (`bun --preload`): how much of the processor its event loop takes in one
// turn, whatever else the machine is doing, and without what it waits for the disk. Each message is answered with the
// longest turn since the last, in milliseconds.

const EVERY_MS = 1

let last = readThreadTime()
let longest = 0

setInterval(() => {
  const now = readThreadTime()
  longest = Math.max(longest, now - last)
  last = now
}, EVERY_MS).unref()

process.on('message', () => {
  process.send?.(longest)
  longest = 0
})
// The channel alone is no reason to stay.
process.channel?.unref()
