// Prints the source and flags of each expression that files construct as they are loaded: `bun constructed.ts FILE …`,
// a process of its own, in which none of them is loaded yet.

const made: [source: string, flags: string][] = []
globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, args: [string, string?]) => {
    const { source, flags } = new target(...args)
    made.push([source, flags])
    return new target(...args)
  },
})
for (const file of process.argv.slice(2)) await import(file)
process.stdout.write(JSON.stringify(made))

export {}
