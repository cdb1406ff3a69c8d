import { defineSite } from '@pillion/server/site.ts';

const light = {
  ...{ background: '#ffffff', surface: '#f2f2f2', text: '#111111', muted: '#555555' },
  ...{ accent: '#0b57d0', onAccent: '#ffffff', accent2: '#0b57d0', line: 18 },
};

/** A site that sets only its colours. Both themes are light. */
export default defineSite({
  palette: { dark: { ...light, background: '#eef1f4', surface: '#e2e6ea' }, light, veil: '#ffffff' },
});
