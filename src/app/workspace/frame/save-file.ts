/** The time that a browser may take to start the download (ms). */
const keepMs = 60_000;

/** Saves a file through the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keepMs);
}
