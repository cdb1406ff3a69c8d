import { expect, test } from 'vitest';
import { securityHeaders } from './security-headers.ts';

const policyOf = (tagManager: boolean) => {
  const headers = securityHeaders({ https: true, tagManager });
  const text = headers['content-security-policy'] ?? '';
  const policy = new Map(text.split('; ').map((directive) => [directive.split(' ')[0], directive] as const));
  return { text, policy, reported: headers['content-security-policy-report-only'] };
};

test('without a tag manager no other host is let in, and Trusted Types are enforced', () => {
  const { text, policy, reported } = policyOf(false);
  expect(text).not.toMatch(/https?:/);
  expect(policy.get('require-trusted-types-for')).toBe("require-trusted-types-for 'script'");
  expect(policy.get('trusted-types')).toBe('trusted-types pillion default');
  expect(reported).toBeUndefined();
});

test('R47: with one, Google’s hosts are let in where its tags need them, and nothing inline', () => {
  const { text, policy, reported } = policyOf(true);
  for (const name of ['script-src', 'img-src', 'connect-src', 'frame-src'])
    expect(policy.get(name)).toContain('googletagmanager.com');
  for (const name of ['style-src', 'font-src', 'media-src', 'worker-src', 'form-action', 'default-src'])
    expect(policy.get(name)).not.toMatch(/https?:/);
  expect(policy.get('script-src')).toMatch(/^script-src 'self' https:/);
  expect(text).not.toMatch(/unsafe|\*(?![.])| data:.*script/);
  expect(text).not.toContain('trusted-types');
  expect(reported).toContain("require-trusted-types-for 'script'");
});
