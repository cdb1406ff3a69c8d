import './sound-toggle.css';

/** The toggle for sound (R7). A site without music does not have it. */
export const SoundToggle = ({ label }: { label: string }) => (
  <button type="button" hidden>
    <span>{label}</span>
    <i />
    <i />
    <i />
    <i />
  </button>
);
