/** An entry of a menu; `count` is the number of waiting items, empty for none. */
export type MenuEntry = { path: string; label: string; count?: string | undefined }

/** The pages of the account. All but the first are for owners and admins. */
export function accountMenu(manages: boolean): MenuEntry[] {
  const forAll = [{ path: '/console', label: 'Projects' }]
  if (!manages) return forAll
  return [
    ...forAll,
    { path: '/console/people', label: 'People' },
    { path: '/console/integrations', label: 'Integrations' },
    { path: '/console/connections', label: 'Connections' },
    { path: '/console/audit', label: 'Audit' },
    { path: '/console/account', label: 'Account' },
  ]
}

/** The pages of a project, whose path is `at`. The settings are for owners and admins. */
export function projectMenu(at: string, manages: boolean, waiting?: string): MenuEntry[] {
  const forAll = [
    { path: `${at}/overview`, label: 'Overview' },
    { path: `${at}/records`, label: 'Records' },
    { path: `${at}/review`, label: 'Review', count: waiting ?? '' },
    { path: `${at}/sources`, label: 'Sources' },
    { path: `${at}/sessions`, label: 'Sessions' },
    { path: `${at}/trash`, label: 'Trash' },
    { path: `${at}/guard`, label: 'Guard' },
    { path: `${at}/keys`, label: 'Keys' },
    { path: `${at}/connections`, label: 'Connections' },
  ]
  return manages ? [...forAll, { path: `${at}/settings`, label: 'Settings' }] : forAll
}
