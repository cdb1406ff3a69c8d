import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const problems = (env: NodeJS.ProcessEnv) => {
  const result = readConfig(env);
  return result.ok ? [] : result.problems;
};
const config = (env: NodeJS.ProcessEnv) => {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result;
};

test('an empty environment serves the bundled demo on 127.0.0.1:3000 (R24)', () => {
  expect(config({}).config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    siteUrl: 'http://127.0.0.1:3000',
    content: { source: 'bundled' },
  });
});

test('the default address follows host and port', () => {
  expect(config({ PORT: '4100', HOST: '::1' }).config.siteUrl).toBe('http://[::1]:4100');
});

test('the error for a wrong value names the variable and the expected value', () => {
  expect(problems({ PORT: '80a' })).toEqual(['PORT is "80a": expected a port number from 1 to 65535.']);
  expect(problems({ PORT: '70000' })).toHaveLength(1);
  expect(problems({ SITE_URL: 'https://example.org/shop' })[0]).toMatch(/^SITE_URL .* without a path/);
  expect(problems({ CONTENT_SOURCE: 'Wordpress' })[0]).toMatch(/"bundled" or "wordpress"/);
});

const WORDPRESS = {
  ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: 'http://127.0.0.1:8080' },
  ...{ CONTENT_KEY: 'ck_1', CONTENT_SECRET: 'cs_1' },
};

test('WordPress needs its address, key and secret, and missing ones are reported together', () => {
  expect(problems({ CONTENT_SOURCE: 'wordpress' }).map((line) => line.split(' ')[0])).toEqual([
    'CONTENT_URL',
    'CONTENT_KEY',
    'CONTENT_SECRET',
  ]);
});

test.each(['CONTENT_KEY', 'CONTENT_SECRET', 'PURGE_TOKEN'])(
  'the error for a wrong %s does not contain its value',
  (name) => {
    const lines = problems({ ...WORDPRESS, PURGE_URL: 'https://cdn.example.org/purge', [name]: 'two words' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}: expected`));
    expect(lines[0]).not.toContain('two words');
  },
);

test('credentials in an address are rejected, and the error does not contain them', () => {
  const host = 'cms.example';
  for (const address of [`http://editor:canary@${host}`, `http://:canary@${host}`, 'http:/editor:canary@', 'canary@']) {
    const lines = problems({ ...WORDPRESS, CONTENT_URL: address, SITE_URL: address });
    expect(lines, address).toEqual([expect.stringMatching(/^SITE_URL\b/), expect.stringMatching(/^CONTENT_URL\b/)]);
    expect(lines.join(), address).not.toContain('canary');
  }
});

test('variables of a source that is not in use are ignored', () => {
  expect(config({ CONTENT_SECRET: 'two words', CONTENT_URL: 'nowhere' }).config.content).toEqual({ source: 'bundled' });
});

test('DEBUG is read if it is a flag and ignored if it is another tool’s value (R45)', () => {
  expect(config({}).config.debug).toBe(false);
  expect(config({ DEBUG: 'true' }).config.debug).toBe(true);
  expect(config({ DEBUG: 'pw:api' }).config.debug).toBe(false);
});

test('a mistyped name of a variable causes a warning, and an unrelated name does not', () => {
  expect(config({ CONTENT_SORCE: 'wordpress' }).warnings).toEqual([
    'CONTENT_SORCE is unknown. Did you mean CONTENT_SOURCE?',
  ]);
  expect(config({ SITEURL: 'x', HOSTNAME: 'x', HOME: '/', PATH: '', PWD: '', PORT: '1' }).warnings).toHaveLength(1);
});

test('an empty variable counts as unset', () => {
  expect(config({ PORT: '', SITE_URL: ' ' }).config.port).toBe(3000);
});

test('R30: SECRET_KEY is optional, an error does not contain it, and sign-ups stay for 90 days', () => {
  expect(config({}).config).toMatchObject({ secretKey: null, signUpsKeepDays: 90 });
  expect(config({ SECRET_KEY: 'a secret of the tests' }).config.secretKey).toBe('a secret of the tests');
  expect(problems({ SECRET_KEY: 'canary' })).toEqual([
    'SECRET_KEY: expected at least 16 characters, for example from openssl rand -base64 32.',
  ]);
  expect(problems({ SIGN_UPS_KEEP_DAYS: '-1' })[0]).toMatch(/^SIGN_UPS_KEEP_DAYS is "-1": expected days/);
});

const KEY = 'sixteen characters or more';

test('DATABASE_URL must be an address of PostgreSQL, and an error does not contain it', () => {
  for (const url of [
    'postgresql://pillion:canary@db.example:5433/pillion?sslmode=verify-full',
    'postgres://127.0.0.1/pillion',
    'postgresql:///pillion?host=/run/postgresql',
  ])
    expect(config({ DATABASE_URL: url, SECRET_KEY: KEY }).config.databaseUrl).toBe(url);
  expect(config({}).config.databaseUrl).toBeNull();
  for (const wrong of [
    'mysql://root:canary@db.example/x',
    'canary',
    'postgresql://db.example',
    'postgresql:///canary',
  ]) {
    const lines = problems({ DATABASE_URL: wrong, SECRET_KEY: KEY });
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: expected .*postgresql:/)]);
    expect(lines.join()).not.toContain('canary');
  }
});

test('a database for sign-ups requires SECRET_KEY, which all its servers share', () => {
  const url = 'postgresql://127.0.0.1/pillion';
  expect(problems({ DATABASE_URL: url })).toEqual([expect.stringMatching(/^SECRET_KEY is missing: with DATABASE_URL/)]);
  expect(config({ DATABASE_URL: url, SECRET_KEY: KEY }).warnings).toEqual([]);
  expect(problems({ DATABASE_URL: url, SECRET_KEY: 'short' })).toEqual([
    expect.stringMatching(/^SECRET_KEY: expected/),
  ]);
});

test('SECRET_KEY_PREVIOUS lists former keys, and an error does not contain them', () => {
  const before = 'the first of the keys, the second one of them';
  expect(config({ SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: before }).config.previousSecretKeys).toEqual([
    'the first of the keys',
    'the second one of them',
  ]);
  expect(config({}).config.previousSecretKeys).toEqual([]);
  expect(problems({ SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: 'canary' })).toEqual([
    expect.stringMatching(/^SECRET_KEY_PREVIOUS: expected the keys used before/),
  ]);
  expect(problems({ SECRET_KEY_PREVIOUS: before })).toEqual([expect.stringMatching(/^SECRET_KEY is missing/)]);
});

test('TRUST_PROXY is true, a number of proxies or their networks, and anything else is an error', () => {
  const trustOf = (TRUST_PROXY: string) => config({ TRUST_PROXY }).config.trustProxy;
  expect(trustOf('true')).toEqual({ kind: 'private' });
  expect(trustOf('2')).toEqual({ kind: 'hops', hops: 2 });
  expect(trustOf('10.0.0.0/8, 2001:db8::/32')).toEqual({ kind: 'networks', networks: ['10.0.0.0/8', '2001:db8::/32'] });
  expect(problems({ TRUST_PROXY: '10.0.0.0/99' })[0]).toMatch(
    /^TRUST_PROXY is "10.0.0.0\/99": expected "true", "false", the number/,
  );
});

test.each([
  [{ CONTENT_URL: 'http://cms.example.org' }, 'CONTENT_URL'],
  [{ CONTENT_URL: 'https://cms.example.org' }, null],
  [{ CONTENT_URL: 'http://127.0.0.1:8080' }, null],
  [{ CONTENT_URL: 'http://localhost:8080/cms' }, null],
  [{ CONTENT_URL: 'http://[::1]:8080' }, null],
  [{ ANALYTICS_UPSTREAM: 'http://stats.example.org' }, 'ANALYTICS_UPSTREAM'],
  [{ ANALYTICS_UPSTREAM: 'https://stats.example.org' }, null],
  [{ ANALYTICS_UPSTREAM: 'http://127.0.0.1:9000' }, null],
])('a secret or script on the network without TLS causes a warning: %o', (given, warned) => {
  const { warnings } = config({ ...WORDPRESS, ANALYTICS_SCRIPT: '/insights/script.js', ...given });
  expect(warnings.map((text) => text.split(' ')[0])).toEqual(warned ? [warned] : []);
});

test.each([
  ['postgresql://a:b@db.example.org/pillion', true],
  ['postgresql://a:b@db.example.org/pillion?sslmode=prefer', true],
  ['postgresql://a:b@db.example.org/pillion?sslmode=verify-full', false],
  ['postgresql://a:b@127.0.0.1:5432/pillion', false],
  ['postgresql:///pillion?host=/run/postgresql', false],
])('a database on another machine without TLS causes a warning: %s', (DATABASE_URL, isWarned) => {
  const { warnings } = config({ DATABASE_URL, SECRET_KEY: KEY });
  expect(warnings.some((text) => text.startsWith('DATABASE_URL is on another machine'))).toBe(isWarned);
});

const RECEIVER = 'https://crm.example.com/in?token=canary';
const RECEIVER_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const FORM_WEBHOOK = { FORM_WEBHOOK_URL: RECEIVER, FORM_WEBHOOK_SECRET: RECEIVER_SECRET };

test('sign-ups can go to a signed webhook, over http:// only within this machine', () => {
  expect(config(FORM_WEBHOOK).config.formWebhook).toEqual({ url: RECEIVER, secret: RECEIVER_SECRET });
  expect(config({}).config.formWebhook).toBeNull();
  const local = { ...FORM_WEBHOOK, FORM_WEBHOOK_URL: 'http://127.0.0.1:9000/in' };
  expect(config(local).config.formWebhook?.url).toBe('http://127.0.0.1:9000/in');
  expect(problems({ ...local, HOST: '0.0.0.0' })).toEqual([
    expect.stringMatching(/^FORM_WEBHOOK_URL must begin with https/),
  ]);
});

const DESTINATION = { DESTINATION_URL: RECEIVER, DESTINATION_SECRET: RECEIVER_SECRET };

test('a destination gets no field and needs no consent by default; public addresses only', () => {
  const common = { url: RECEIVER, secret: RECEIVER_SECRET };
  expect(config({}).config.destination).toBeNull();
  expect(config({ ...DESTINATION, HOST: '0.0.0.0' }).config.destination).toEqual({
    ...{ ...common, purpose: 'none', fields: [], reach: { loopback: false, private: false } },
  });
  const chosen = {
    DESTINATION_PURPOSE: 'marketing',
    DESTINATION_FIELDS: 'input_1, input_3_1',
    DESTINATION_PRIVATE: 'true',
  };
  expect(config({ ...DESTINATION, ...chosen }).config.destination).toEqual({
    ...{ ...common, purpose: 'marketing', fields: ['input_1', 'input_3_1'], reach: { loopback: true, private: true } },
  });
  const local = { ...DESTINATION, DESTINATION_URL: 'http://127.0.0.1:9000/in' };
  expect(config(local).config.destination?.url).toBe('http://127.0.0.1:9000/in');
  expect(config({ ...DESTINATION, ...chosen, GTM_ID: 'GTM-ABC1234' }).warnings).toEqual([]);
  expect(config({ ...DESTINATION, ...chosen }).warnings).toEqual([
    expect.stringMatching(/^DESTINATION_PURPOSE is "marketing", but without GTM_ID the site does not ask for consent/),
  ]);
  const erased = config({ ...DESTINATION, SIGN_UPS_KEEP_DAYS: '0' }).warnings;
  expect(erased).toEqual([expect.stringMatching(/^SIGN_UPS_KEEP_DAYS is 0: .* Set at least 1/)]);
});

test.each([
  [{ DESTINATION_URL: 'http://canary.example.com/in' }, /^DESTINATION_URL must begin with https:\/\//],
  [{ DESTINATION_URL: 'http://127.0.0.1/canary', HOST: '0.0.0.0' }, /^DESTINATION_URL must begin with https/],
  [{ DESTINATION_URL: 'https://127.0.0.1/canary', HOST: '0.0.0.0' }, /^DESTINATION_URL is an address in a private/],
  [{ DESTINATION_URL: 'https://10.0.0.7/canary' }, /^DESTINATION_URL is an .*set DESTINATION_PRIVATE=true/],
  [{ DESTINATION_URL: 'https://0x0a000007/canary' }, /^DESTINATION_URL is an address in a private/],
  [{ DESTINATION_URL: 'https://[::ffff:10.0.0.7]/canary' }, /^DESTINATION_URL is an address in a private/],
  [{ DESTINATION_URL: 'https://canary:canary@hooks.example.com' }, /^DESTINATION_URL: expected the address/],
  [{ DESTINATION_URL: '' }, /^DESTINATION_URL is missing: .* Set both or none/],
  [{ DESTINATION_SECRET: '' }, /^DESTINATION_SECRET is missing/],
  [{ DESTINATION_SECRET: 'whsec_canary' }, /^DESTINATION_SECRET: expected whsec_/],
  [{ DESTINATION_PURPOSE: 'sales' }, /^DESTINATION_PURPOSE is "sales": expected "none".*"statistics" or "marketing"/],
  [{ DESTINATION_FIELDS: 'email' }, /^DESTINATION_FIELDS is "email": expected names of fields/],
  [{ DESTINATION_PRIVATE: 'yes' }, /^DESTINATION_PRIVATE is "yes": expected "true"/],
  [{ FORM_WEBHOOK_URL: 'http://canary.example.com/in' }, /^FORM_WEBHOOK_URL must begin with https:\/\//],
  [{ FORM_WEBHOOK_URL: 'https://canary:canary@crm.example.com' }, /^FORM_WEBHOOK_URL: expected the address/],
  [{ FORM_WEBHOOK_URL: 'canary' }, /^FORM_WEBHOOK_URL: expected the address/],
  [{ FORM_WEBHOOK_URL: '' }, /^FORM_WEBHOOK_URL is missing/],
  [{ FORM_WEBHOOK_SECRET: '' }, /^FORM_WEBHOOK_SECRET is missing/],
  [{ FORM_WEBHOOK_SECRET: 'canary' }, /^FORM_WEBHOOK_SECRET: expected whsec_ and 24 to 64 bytes/],
  [{ FORM_WEBHOOK_SECRET: 'whsec_canary' }, /^FORM_WEBHOOK_SECRET: expected/],
  [{ FORM_WEBHOOK_SECRET: `${RECEIVER_SECRET}=` }, /^FORM_WEBHOOK_SECRET: expected/],
])('a wrong receiver is one error without its address or secret: %o', (wrong, expected) => {
  const isWebhook = Object.keys(wrong)[0]?.startsWith('FORM_');
  const lines = problems({ ...(isWebhook ? FORM_WEBHOOK : DESTINATION), ...wrong });
  expect(lines).toEqual([expect.stringMatching(expected)]);
  expect(lines.join()).not.toContain('canary');
});
