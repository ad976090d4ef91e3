import { useEffect } from 'react';

/** Takes away the picture that the demonstration's page came with: what it stands for is drawn, or never will be. */
export function removeStill(): void {
  document.getElementById('still')?.remove();
}

/** Whether the page shows the picture that it came with. */
export function hasStill(): boolean {
  return document.getElementById('still') !== null;
}

/** Takes away a picture whose words are in another language than the visitor's. */
export function removeForeignStill(): void {
  const still = document.getElementById('still');
  if (still && still.dataset.language !== document.documentElement.lang) still.remove();
}

/** Takes the picture away at the latest with the page that it stands for. */
export function useStill(): void {
  useEffect(() => removeStill, []);
}
