/** Which projects are opened to a member who holds no key of them. */
export type AccessReads = {
  /** Ids of projects. */
  listAccess: (memberId: string) => Promise<string[]>
}

export type AccessWrites = {
  /** Nothing happens where it is open already. */
  allowAccess: (projectId: string, memberId: string) => Promise<void>
  endAccess: (projectId: string, memberId: string) => Promise<void>
}
