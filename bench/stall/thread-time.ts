import { dlopen, FFIType, ptr } from 'bun:ffi'

/** Time of the processor that a thread has had, as Linux numbers its clocks. */
const CLOCK_THREAD_CPUTIME_ID = 3

const { symbols } = dlopen('libc.so.6', { clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 } })
const time = new BigInt64Array(2)

/**
 * Milliseconds of the processor that this thread has had: without what it waited for, and whatever else the machine
 * does. Linux only.
 */
export function readThreadTime(): number {
  symbols.clock_gettime(CLOCK_THREAD_CPUTIME_ID, ptr(time))
  return Number(time[0]) * 1e3 + Number(time[1]) / 1e6
}
