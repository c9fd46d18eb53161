import { dlopen, FFIType, ptr } from 'bun:ffi'

// Loaded into the service before it starts (`bun --preload`): how much of the processor its event loop takes in one turn, whatever else the
// machine is doing, and without what it waits for the disk. Each message is answered with the longest turn since the last, in milliseconds.

/** Time of the processor that this thread has had, as Linux numbers its clocks. */
const CLOCK_THREAD_CPUTIME_ID = 3
const EVERY_MS = 1

const { symbols } = dlopen('libc.so.6', { clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 } })
const time = new BigInt64Array(2)

function readThreadTime(): number {
  symbols.clock_gettime(CLOCK_THREAD_CPUTIME_ID, ptr(time))
  return Number(time[0]) * 1e3 + Number(time[1]) / 1e6
}

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
