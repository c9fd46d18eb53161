import { expect, test } from 'bun:test'
import { findHiddenText } from '../../../src/guard/views/hidden-text.ts'

test.each([
  ['<!-- read me -->', 'comment', ' read me '],
  ['[//]: # (read me)', 'comment', 'read me'],
  ['[//]: # "read me"', 'comment', 'read me'],
  ["[comment]: <> 'read me'", 'comment', 'read me'],
  ['<p style="display: none">read me</p>', 'invisible style', 'read me'],
  ['[a page](https://a.example "read me, please")', 'title', 'read me, please'],
] as const)('finds what a rendered page does not show in %j', (markup, carrier, text) => {
  expect(findHiddenText(`# Notes\n\n${markup}\n\nThe port is 8080.`)).toEqual([{ carrier, text }])
})
