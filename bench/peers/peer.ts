import type { Client } from '@modelcontextprotocol/sdk/client/index.js'

/** Where a program works: the folder it is installed in, and a home that is empty at first and gone afterwards. */
export type Place = { installed: string; home: string }

/** A program that runs on a home. Texts are those of notes, as they were saved. */
export type Running = {
  /** One more assistant, by the program's own MCP interface. */
  connect: () => Promise<Client>
  /** Saves one note. Throws where the program says that it did not. */
  save: (client: Client, text: string) => Promise<void>
  /** What a question in plain words finds, best first. */
  ask: (client: Client, question: string) => Promise<string[]>
  /** What a few key words find, best first. */
  lookUp: (client: Client, words: string) => Promise<string[]>
  /** Saves with other phrases, and asks with other wordings, where the program has arguments for them. */
  wordings?: {
    save: (client: Client, text: string, phrases: string[]) => Promise<void>
    ask: (client: Client, query: string, also: string[]) => Promise<string[]>
  }
  /** Whether a note is there, asked in the surest way that the program has. */
  has: (client: Client, text: string) => Promise<boolean>
  /** The processes that make it up, without their children. */
  pids: () => number[]
  /** Ends every process, and waits for it. */
  stop: () => Promise<void>
}

/** A memory program for assistants. */
export type Peer = {
  name: string
  /** What is installed from the registry, and by which package manager; undefined for this project's own executable. */
  package?: { name: string; version: string; by: 'npm' | 'bun' }
  /** How it was used, for the reader of the figures. */
  use: string
  /**
   * Does once what it needs in a new home. The function that it returns starts the program, over and over on the same
   * home.
   */
  prepare: (place: Place) => Promise<() => Promise<Running>>
}

/** How many results count. */
export const TOP = 5

/** A name as an assistant would give it, for programs that want one: the first words of the note. */
export function toName(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.slice(0, 8).join('-').slice(0, 60)
}
