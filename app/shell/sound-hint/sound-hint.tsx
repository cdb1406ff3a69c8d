export function SoundHint(_: { label: string; track: string | null }) {
  return null;
}
