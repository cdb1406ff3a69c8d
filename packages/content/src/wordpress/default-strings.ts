import ar from '@pillion/plugin/data/texts/ar.json' with { type: 'json' };
import de from '@pillion/plugin/data/texts/de.json' with { type: 'json' };
import es from '@pillion/plugin/data/texts/es.json' with { type: 'json' };
import fr from '@pillion/plugin/data/texts/fr.json' with { type: 'json' };
import it from '@pillion/plugin/data/texts/it.json' with { type: 'json' };
import ja from '@pillion/plugin/data/texts/ja.json' with { type: 'json' };
import nl from '@pillion/plugin/data/texts/nl.json' with { type: 'json' };
import pl from '@pillion/plugin/data/texts/pl.json' with { type: 'json' };
import pt from '@pillion/plugin/data/texts/pt.json' with { type: 'json' };
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

/** All texts with their path (`labels.join`). The group `""` contains the members of `Strings` itself. */
export const TEXTS = Object.entries(GROUPS).flatMap(([group, { texts }]) =>
  Object.entries(texts).map(([name, text]) => ({ ...text, group, name, path: group ? `${group}.${name}` : name })),
);

export type Text = (typeof TEXTS)[number];

/** @param read Returns a text's value, of the type in its declaration. */
export function buildStrings(read: (text: Text) => unknown, links: Strings['links']): Strings {
  const valuesOf = (texts: Text[] = []) => Object.fromEntries(texts.map((text) => [text.name, read(text)]));
  const { '': ungrouped, ...groups } = Object.groupBy(TEXTS, ({ group }) => group);
  const grouped = Object.entries(groups).map(([group, texts]) => [group, valuesOf(texts)]);
  return { ...valuesOf(ungrouped), ...Object.fromEntries(grouped), links } as Strings;
}

/** Default texts by language and path. The English ones are in the declarations. */
export const LANGUAGES_OF_TEXTS: Record<string, Record<string, string>> = { ar, de, es, fr, it, ja, nl, pl, pt };

/**
 * @param lang BCP 47 tag. `pt-BR` gets the texts of `pt`.
 * @returns The text with its default in the language; in English if the kit does not have the language.
 */
export function withDefaultIn(text: Text, lang: string): Text {
  const texts = LANGUAGES_OF_TEXTS[lang.split('-', 1)[0]?.toLowerCase() ?? ''] ?? {};
  if (text.kind === 'link')
    return { ...text, default: { ...text.default, title: texts[`${text.path}.title`] ?? text.default.title } };
  return text.kind === 'text' || text.kind === 'lines' ? { ...text, default: texts[text.path] ?? text.default } : text;
}

/**
 * English default of each string (R19; the kit's own for texts that the requirements leave open). A project's texts belong in
 * WordPress or the bundled copy.
 */
export const DEFAULT_STRINGS = buildStrings((text) => text.default, {});

const legalItem = (title: string, url: string) => ({ title, url, target: '' as const, network: null });

/** Legal menu of R19, used if the bundled copy has no legal menu or no valid response was ever received (R26). */
export const DEFAULT_LEGALS_MENU: Menu = {
  items: [
    legalItem('Terms & Conditions', '/terms-conditions/'),
    legalItem('Privacy Policy', '/privacy-policy/'),
    legalItem('Cookie Policy', '/cookie-policy/'),
  ],
};
