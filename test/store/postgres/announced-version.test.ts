import { expect, test } from 'bun:test'
import { createAnnouncedVersion } from '../../../src/store/postgres/control/control-store.ts'

function watch() {
  const database = { version: 1, reads: 0 }
  const state = { now: 0, isListening: true }
  const read = async () => {
    database.reads += 1
    return database.version
  }
  const { version, forget } = createAnnouncedVersion(
    read,
    () => state.isListening,
    () => state.now,
  )
  return { database, state, version, forget }
}

test('the version is read once while nothing is announced', async () => {
  const { database, version } = watch()
  expect([await version(), await version(), await version()]).toEqual([1, 1, 1])
  expect(database.reads).toBe(1)
})

test('it is read anew after an announcement', async () => {
  const { database, version, forget } = watch()
  await version()
  database.version = 2
  forget()
  expect(await version()).toBe(2)
})

test('where an announcement was lost, it is late by a second', async () => {
  const { database, state, version } = watch()
  await version()
  database.version = 2
  state.now = 999
  expect(await version()).toBe(1)
  state.now = 1_000
  expect(await version()).toBe(2)
})

test('what is announced while it is read is not hidden by what was read', async () => {
  const { database, version, forget } = watch()
  const overtaken = version()
  database.version = 2
  forget()
  expect([await overtaken, await version()]).toEqual([1, 2])
})

test('it is read at each use while nobody listens', async () => {
  const { database, state, version } = watch()
  state.isListening = false
  await version()
  database.version = 2
  expect(await version()).toBe(2)
})
