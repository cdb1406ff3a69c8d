import declared from '@pillion/plugin/data/texts.json' with { type: 'json' };
import type { Link, Menu, Strings } from '../types.ts';

/** A text as `plugins/pillion/data/texts.json` declares it. */
type DeclaredText = { isOptional?: boolean; isOwn?: boolean } & (
  | { kind: 'text' | 'lines'; default: string }
  | { kind: 'number'; default: number }
  | { kind: 'link'; default: Link }
  | { kind: 'choice'; default: null; choices: Record<string, string> }
  | { kind: 'svg' | 'audio' | 'count'; default: null }
);

const GROUPS = declared.groups as Record<string, { texts: Record<string, DeclaredText> }>;

/** Every text with its path (`labels.join`). The group `""` holds the members of `Strings` itself. */
export const TEXTS = Object.entries(GROUPS).flatMap(([group, { texts }]) =>
  Object.entries(texts).map(([name, text]) => ({ ...text, group, name, path: group ? `${group}.${name}` : name })),
);

export type Text = (typeof TEXTS)[number];

/** @param read Answers a text's value, of the type that its declaration says. */
export function stringsBy(read: (text: Text) => unknown, links: Strings['links']): Strings {
  const valuesOf = (texts: Text[] = []) => Object.fromEntries(texts.map((text) => [text.name, read(text)]));
  const { '': ungrouped, ...groups } = Object.groupBy(TEXTS, ({ group }) => group);
  const grouped = Object.entries(groups).map(([group, texts]) => [group, valuesOf(texts)]);
  return { ...valuesOf(ungrouped), ...Object.fromEntries(grouped), links } as Strings;
}

/**
 * The default of each string (R19; our own for the texts that the requirements leave open).
 * A project's own words belong into WordPress or the bundle, not here.
 */
export const DEFAULT_STRINGS = stringsBy((text) => text.default, {});

const legal = (title: string, url: string) => ({ title, url, target: '' as const, network: null });

/** R19's legal menu: for a bundle without one, or where no valid answer ever came (R26). */
export const DEFAULT_LEGALS_MENU: Menu = {
  items: [
    legal('Terms & Conditions', '/terms-conditions/'),
    legal('Privacy Policy', '/privacy-policy/'),
    legal('Cookie Policy', '/cookie-policy/'),
  ],
};

/** For a form whose confirmation says nothing, or nothing without what only WordPress could fill in. */
export const THANKS = '<p>Thank you. It has arrived.</p>';
