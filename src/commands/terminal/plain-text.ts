/** A text without control and format characters but line ends and tabs, so that no terminal obeys it. */
export function toPlainText(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '')
}
