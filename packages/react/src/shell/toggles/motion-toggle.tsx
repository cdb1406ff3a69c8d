import { isCalm, onMotionChange, switchMotion } from '@pillion/lib/browser/visitor.ts';
import { useSyncExternalStore } from 'react';

/** Pauses and resumes motion (WCAG 2.2.2). Only rendered on pages with moving content. */
export function MotionToggle({ label }: { label: string }) {
  const isStill = useSyncExternalStore(
    onMotionChange,
    () => (document.querySelector('[data-moves]') ? isCalm() : null),
    () => null,
  );
  if (isStill === null) return null;
  return (
    <button type="button" aria-pressed={!isStill} onClick={switchMotion}>
      <span>{label}</span>
      <i />
      <i />
      <i />
    </button>
  );
}
