/** A text without control and format characters, except line ends and tabs, so that it cannot control the terminal. */
export function toPlainText(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '')
}
