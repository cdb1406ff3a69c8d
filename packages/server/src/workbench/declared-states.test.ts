import { globSync } from 'node:fs';
import { join } from 'node:path';
import { sectionsOf } from '@pillion/content/pages/sections.ts';
import type { SectionDeclaration } from '@pillion/content/sections/declaration.ts';
import { createRewriter } from '@pillion/content/wordpress/rewrite.ts';
import { declaredStates } from '@pillion/react/workbench/declared-states.ts';
import { samplesFrom } from '@pillion/react/workbench/samples.ts';
import { expect, test } from 'vitest';

const HOME = 'https://cms.example';
const rewriter = createRewriter([HOME]);

const folders = globSync('packages/react/src/sections/*/section.ts');
const declarations = await Promise.all(
  folders.map(async (file): Promise<SectionDeclaration> => (await import(join(process.cwd(), file))).default),
);

test('there are more than five declarations', () => expect(declarations.length).toBeGreaterThan(5));

for (const declaration of declarations)
  test(`the site accepts every state generated from the declaration of ${declaration.name}`, () => {
    for (const [state, sections] of Object.entries(declaredStates(declaration)(samplesFrom(HOME)))) {
      const warnings: unknown[] = [];
      const shown = sectionsOf([sections].flat(), state, rewriter, (event, details) => warnings.push([event, details]));
      if (state === 'empty') continue;
      expect(shown, state).toHaveLength(1);
      // Only items above the limit of a list are left out with a warning.
      expect(warnings.filter((warning) => !JSON.stringify(warning).includes('too many'))).toEqual([]);
      const [values] = shown as unknown as Record<string, unknown>[];
      for (const [name, field] of Object.entries(declaration.fields)) {
        expect(values?.[name], `${name} of ${state}`).not.toBeNull();
        const count = { one: 1, twelve: 12 }[state];
        if (count && field.kind === 'list') expect(values?.[name]).toHaveLength(Math.min(count, field.most ?? count));
      }
    }
  });
