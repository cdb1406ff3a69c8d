import { expect, test } from 'vitest';
import { allowsFrames } from './editor.ts';

const [SITE, LOCAL, ADMIN] = ['https://www.example.org', 'http://localhost:3000', 'https://cms.example.org/wp'];

test.each<[isAllowed: boolean, source: string, to: string, own: string]>([
  [true, '*', SITE, ADMIN],
  [true, 'https:', SITE, ADMIN],
  [true, 'http:', SITE, ADMIN],
  [false, 'https:', LOCAL, ADMIN],
  [false, 'data:', SITE, ADMIN],
  [true, 'https://www.example.org', SITE, ADMIN],
  [true, 'HTTPS://WWW.Example.ORG/', SITE, ADMIN],
  [true, 'http://www.example.org', SITE, ADMIN],
  [true, 'www.example.org:443', SITE, ADMIN],
  [false, 'www.example.org:8443', SITE, ADMIN],
  [true, 'https://*.example.org', SITE, ADMIN],
  [true, '*.example.org', SITE, ADMIN],
  [false, '*.example.org', 'https://example.org', ADMIN],
  [false, '*.example.org', 'https://example.org.example.net', ADMIN],
  [true, 'https://*', SITE, ADMIN],
  [true, 'localhost:*', LOCAL, 'http://localhost:8080'],
  [false, 'localhost', LOCAL, 'http://localhost:8080'],
  [false, 'localhost:3000', LOCAL, ADMIN],
  [true, "'self'", 'https://cms.example.org', ADMIN],
  [false, "'self'", SITE, ADMIN],
  [false, "'none'", SITE, ADMIN],
])('the doctor finds %j for a policy with %s, the site %s and wp-admin %s', (isAllowed, source, to, own) => {
  expect(allowsFrames(`frame-src ${source}`, new URL(to), new URL(own))).toBe(isAllowed);
});

test.each([
  [true, ''],
  [true, "script-src 'none'"],
  [false, "default-src 'self'"],
  [true, "default-src 'self'; child-src *"],
  [false, "child-src *; Frame-Src 'self'"],
  [false, "frame-src 'self'; frame-src *"],
])('the doctor finds %j for frames of the site with the policy “%s”', (isAllowed, policy) => {
  expect(allowsFrames(policy, new URL(SITE ?? ''), new URL(ADMIN ?? ''))).toBe(isAllowed);
});
