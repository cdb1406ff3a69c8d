import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('the same markup gives the same object, so that a second render keeps the DOM', async () => {
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

test('only files of this site are allowed as scripts: no other origins, no generated scripts', async () => {
  let createScriptURL = (url: string): string => url;
  vi.stubGlobal('trustedTypes', {
    createPolicy(name: string, rules: { createScriptURL?: (url: string) => string }) {
      if (name === 'default') createScriptURL = rules.createScriptURL ?? createScriptURL;
      return rules;
    },
  });
  vi.stubGlobal('location', new URL('https://brand.example/about/'));
  const { allowOwnScripts } = await import('./trusted-types.ts');
  allowOwnScripts();
  for (const own of ['/assets/scene.js', 'https://brand.example/stats/script.js'])
    expect(createScriptURL(own)).toBe(own);
  for (const other of [
    'blob:https://brand.example/0b1d',
    'https://brand.example.evil.example/x.js',
    '//evil.example/x.js',
    'data:text/javascript,1',
  ])
    expect(() => createScriptURL(other), other).toThrow(TypeError);
});
