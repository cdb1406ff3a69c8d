import { PARTS } from '@pillion/content/forms/gravity-forms/parts.ts';
import type { FieldKind } from '@pillion/forms/form.ts';
import { isKind, KINDS } from '@pillion/forms/kinds.ts';
import { expect, test } from 'vitest';
import { phpValue } from './wordpress.ts';

/**
 * The kinds of field are listed twice: in `packages/forms/src/kinds.ts` for the site and in `FieldTypes.php` for the
 * plugin. These tests compare the two tables.
 */

interface Row {
  silent: boolean;
  parts: Record<string, string> | [];
}

const TYPES = '\\Pillion\\Forms\\FieldTypes';
const SUPPORT = '\\Pillion\\Forms\\Gravity\\GravitySupport';

/** Kinds that the site draws and the plugin's forms do not offer. Gravity Forms has them. */
const GRAVITY_FORMS_ONLY: FieldKind[] = ['list'];

const rows = () =>
  phpValue<Record<string, Row>>(
    `return array_map( static function ( $row ) { return array( 'silent' => $row['silent'], 'parts' => $row['parts'] ); }, ${TYPES}::all() );`,
  );

const sorted = (kinds: string[]) => kinds.toSorted();

test('R30: the plugin offers exactly the kinds of field that the site draws', () => {
  expect(sorted([...Object.keys(rows()), ...GRAVITY_FORMS_ONLY])).toEqual(sorted(Object.keys(KINDS)));
});

test('R30: the plugin and the site agree on the kinds without an answer and on the parts of each kind', () => {
  for (const [type, { silent, parts }] of Object.entries(rows())) {
    if (!isKind(type)) throw new Error(`${type} is no kind of the site's`);
    expect(KINDS[type].isSilent ?? false, type).toBe(silent);
    expect(Object.keys(PARTS[type] ?? {}), type).toEqual(Object.keys(parts));
  }
});

test('R30: an editor reads that the site draws a kind of field exactly if it does', () => {
  const levels = phpValue<Record<string, string>>(
    `$levels = array();
    foreach ( array_merge( array_keys( ${SUPPORT}::table()['kinds'] ), array( ${Object.keys(KINDS)
      .map((kind) => `'${kind}'`)
      .join(', ')} ) ) as $type ) {
      $levels[ $type ] = ${SUPPORT}::support_of( array( 'type' => $type, 'inputType' => 'radio' ) )['level'];
    }
    return $levels;`,
  );
  // Two kinds of Gravity Forms' are drawn as another one; its captchas and its button are not the form's to draw.
  const others = ['multi_choice', 'image_choice', 'captcha', 'turnstile', 'submit'];
  for (const [type, level] of Object.entries(levels))
    expect(level !== 'left-out', type).toBe(isKind(type) || others.includes(type));
});
