/**
 * Whether this process has the rights of root, which mounts and files of other users take.
 * `.github/workflows/check.yml` runs the files with such tests once more as root: it names them.
 */
export const isRoot = process.getuid?.() === 0
