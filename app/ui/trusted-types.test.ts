import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('the same markup is the same object, so that a second drawing leaves what stands on the page alone', async () => {
  const createPolicy = (_: string, { createHTML }: { createHTML: (html: string) => string }) => ({
    createHTML: (html: string) => ({ html: createHTML(html) }),
  });
  vi.stubGlobal('trustedTypes', { createPolicy });
  const { trustedHtml } = await import('./trusted-types.ts');
  expect(trustedHtml('<p>a</p>')).toEqual({ html: '<p>a</p>' });
  expect(trustedHtml('<p>a</p>')).toBe(trustedHtml('<p>a</p>'));
  expect(trustedHtml('<p>b</p>')).not.toBe(trustedHtml('<p>a</p>'));
});

test('without Trusted Types markup stays a string', async () => {
  const { trustedHtml } = await import('./trusted-types.ts');
  expect(trustedHtml('<p>a</p>')).toBe('<p>a</p>');
});
