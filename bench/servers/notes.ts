/** The records of the service under load; one of them is about the Bun runtime. */
export const NOTES = [
  'The build runs on Bun, the runtime we chose in March',
  'Invoices are numbered by year and month',
  'Anna owns the payment integration',
  'Backups are kept for ninety days in Frankfurt',
  'The office dog is called Pixel',
  'Releases happen on Tuesdays before noon',
  'Customers are told of an outage within an hour',
  'The old importer is switched off in June',
  'Passwords are reset by the help desk only',
  'Design reviews take place every second Thursday',
]
