import { type Finding, ok, unasked } from './finding.ts';
import type { Check, Probe } from './probe.ts';

const NOT_REPORTED = unasked('Only the Pillion plugin reports it.');

async function acf(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return NOT_REPORTED;
  if (facts.acf === null) return ok('Not installed. Editors set a page’s theme in Pillion’s panel.');
  return ok(`ACF ${facts.acf}. If a page has a field named “theme”, it sets the theme.`);
}

async function yoast(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return NOT_REPORTED;
  if (facts.yoast === null) return ok('Not installed. Editors set titles and descriptions in Pillion’s panel.');
  return ok(
    `Yoast SEO ${facts.yoast}. The site uses its titles, descriptions, robots and schema if Pillion’s panel is empty.`,
  );
}

export const PLUGINS: Check[] = [
  { group: 'Other plugins', name: 'ACF', ask: acf },
  { group: 'Other plugins', name: 'Yoast SEO', ask: yoast },
];
