import { expect, test } from 'vitest';
import { embedHeadersFor, securityHeaders } from './security-headers.ts';

const policyOf = (tagManager: boolean) => {
  const headers = securityHeaders({ https: true, hsts: 'host', tagManager });
  const text = headers['content-security-policy'] ?? '';
  const policy = new Map(text.split('; ').map((directive) => [directive.split(' ')[0], directive] as const));
  return { text, policy, reported: headers['content-security-policy-report-only'] };
};

test('without a tag manager the policy allows no other host and enforces Trusted Types', () => {
  const { text, policy, reported } = policyOf(false);
  expect(text).not.toMatch(/https?:/);
  expect(policy.get('require-trusted-types-for')).toBe("require-trusted-types-for 'script'");
  expect(policy.get('trusted-types')).toBe('trusted-types pillion default');
  expect(reported).toBeUndefined();
});

test('R47: with a tag manager the policy allows Google’s hosts where tags need them, and no inline code', () => {
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

test('with a tag manager the policy allows two scripts of Google, and no host with JSONP endpoints', () => {
  const scripts = policyOf(true).policy.get('script-src');
  expect(scripts).toBe(
    "script-src 'self' https://www.googletagmanager.com/gtm.js https://www.googletagmanager.com/gtag/js",
  );
});

test('a page with a video of another site may show its player, which may play and fill the screen', () => {
  for (const tagManager of [false, true]) {
    const headers = securityHeaders({ https: true, hsts: 'host', tagManager });
    const { 'content-security-policy': policy = '', 'permissions-policy': permissions } = embedHeadersFor(headers);
    const frames = policy.split('; ').filter((directive) => directive.startsWith('frame-src'));
    expect(frames).toEqual([expect.stringContaining('https://www.youtube-nocookie.com https://player.vimeo.com')]);
    expect(frames[0]?.includes('googletagmanager')).toBe(tagManager);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(permissions).toContain('autoplay=(self "https://www.youtube-nocookie.com" "https://player.vimeo.com")');
    expect(permissions).toContain('fullscreen=(self "https://www.youtube-nocookie.com"');
  }
});

test('HSTS covers only the host, unless subdomains are configured', () => {
  const promiseOf = (hsts: 'host' | 'subdomains' | 'preload') =>
    securityHeaders({ https: true, hsts, tagManager: false })['strict-transport-security'];
  expect(promiseOf('host')).toBe('max-age=63072000');
  expect(promiseOf('subdomains')).toBe('max-age=63072000; includeSubDomains');
  expect(promiseOf('preload')).toBe('max-age=63072000; includeSubDomains; preload');
});
