export function Scrollbar() {
  return null;
}
