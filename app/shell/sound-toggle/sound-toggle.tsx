export function SoundToggle(_: { label: string; track: string | null }) {
  return null;
}
