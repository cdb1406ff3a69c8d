import { type Finding, ok, unasked } from './finding.ts';
import type { Check, Probe } from './probe.ts';

const UNSAID = unasked('Only the Pillion plugin says it.');

async function acf(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return UNSAID;
  if (facts.acf === null) return ok('Not installed; a page’s theme is set in Pillion’s panel.');
  return ok(`ACF ${facts.acf}: its field named “theme”, where a page has one, decides the theme.`);
}

async function yoast(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return UNSAID;
  if (facts.yoast === null) return ok('Not installed; titles and descriptions are set in Pillion’s panel.');
  return ok(
    `Yoast SEO ${facts.yoast}: its titles, descriptions, robots and schema are shown where Pillion’s panel is empty.`,
  );
}

export const PLUGINS: Check[] = [
  { group: 'Other plugins', name: 'ACF', ask: acf },
  { group: 'Other plugins', name: 'Yoast SEO', ask: yoast },
];
