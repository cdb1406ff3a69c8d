import { expect, test } from 'vitest';
import { asCalm } from './calm.ts';

test('what is for calm visitors always holds, what is for all others never', () => {
  expect(asCalm('(prefers-reduced-motion: reduce), (forced-colors: active)')).toBe(
    '(min-width: 0px), (forced-colors: active)',
  );
  expect(asCalm('(min-width: 1024px) and (prefers-reduced-motion: no-preference)')).toBe(
    '(min-width: 1024px) and (max-width: 0px)',
  );
  expect(asCalm('(prefers-reduced-motion)')).toBe('(min-width: 0px)');
});

test('any other condition is left as it is', () => {
  expect(asCalm('(prefers-contrast: more)')).toBe('(prefers-contrast: more)');
});
