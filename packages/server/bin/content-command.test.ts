import { afterEach, expect, test, vi } from 'vitest';
import { fromEnvironment } from './content-command.mjs';

afterEach(() => vi.unstubAllEnvs());

test.each(['cms.example.org', 'cms.example.org:8080', 'https:/cms.example.org'])(
  'pull and push refuse the address %s and say how an address begins',
  (url) => {
    vi.stubEnv('CONTENT_URL', url);
    expect(() => fromEnvironment({ CONTENT_URL: 'the address of WordPress' }, null)).toThrow(
      'must begin with https://',
    );
  },
);

test('only the address loses the slash at its end: a password may end with one', () => {
  vi.stubEnv('CONTENT_URL', 'https://cms.example.org/');
  vi.stubEnv('WORDPRESS_PASSWORD', ' secret/ ');
  expect(fromEnvironment({ CONTENT_URL: 'the address', WORDPRESS_PASSWORD: 'the password' }, 'password')).toEqual({
    CONTENT_URL: 'https://cms.example.org',
    WORDPRESS_PASSWORD: 'secret/',
  });
});
