import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { installPlugin, php, phpValue, rest, useOwnWordPress, wordpress } from './wordpress.ts';

/**
 * Faults while a sign-up is being stored. A file with the name of a fault triggers it once. PHP is killed with SIGKILL,
 * so that no shutdown code runs.
 */
const FAULTS = `
function pillion_test_fault( $name ) { $file = __DIR__ . "/$name"; return is_file( $file ) && @unlink( $file ); }
add_action( 'added_post_meta', function ( $id, $post, $key ) {
  if ( '_pillion_form' === $key && pillion_test_fault( 'die-in-the-middle' ) ) { posix_kill( getmypid(), SIGKILL ); }
}, 10, 3 );
add_filter( 'add_post_metadata', function ( $null, $post, $key ) {
  return '_pillion_values' === $key && pillion_test_fault( 'fail-one-write' ) ? false : $null;
}, 10, 3 );
add_filter( 'query', function ( $query ) {
  if ( 'START TRANSACTION' === $query && pillion_test_fault( 'pause' ) ) {
    touch( __DIR__ . '/paused' );
    while ( ! is_file( __DIR__ . '/go' ) ) { usleep( 20000 ); }
  }
  return $query;
} );`;

useOwnWordPress();
beforeAll(() => void installPlugin(FAULTS));
const place = (file: string) => join(wordpress().directory, 'html/wp-content/mu-plugins', file);
const fault = (name: string) => writeFileSync(place(name), '');
afterEach(() => {
  for (const file of ['paused', 'go']) rmSync(place(file), { force: true });
});

const send = (id: string) =>
  rest('gf/v2/forms/1/submissions', {
    body: { input_1: 'Ada', input_2: 'ada@example.org', input_3_1: '1', sign_up_id: id },
  });

/** Entries of one sign-up with their values. WordPress would store a second one under a longer name. */
const entriesOf = (id: string) =>
  phpValue<{ values: string; form: string; email: string }[]>(
    `global $wpdb; return array_map( function ( $id ) { return array(
      'values' => get_post_meta( $id, '_pillion_values', true ), 'form' => get_post_meta( $id, '_pillion_form', true ), 'email' => get_post_meta( $id, '_pillion_email', true ) );
    }, $wpdb->get_col( "SELECT ID FROM $wpdb->posts WHERE post_type = 'pillion_entry' AND post_name LIKE '${id}%'" ) );`,
  );

const WHOLE = { values: expect.stringContaining('ada@example.org'), form: '1', email: 'ada@example.org' };

/** Ages all claims beyond the time after which a request counts as dead. */
const letTimePass = () =>
  php(`global $wpdb; $wpdb->query( "UPDATE {$wpdb->prefix}pillion_intake SET taken_at = taken_at - 31" );`);

test('invariant 5: PHP killed between an entry and its answers leaves nothing, and a retry stores it whole', async () => {
  const id = randomUUID();
  fault('die-in-the-middle');
  await expect(send(id)).rejects.toThrow();
  expect(entriesOf(id)).toEqual([]);
  // The claim has not expired: the killed request could still be running.
  expect(await send(id)).toMatchObject({ status: 503 });
  letTimePass();
  expect(await send(id)).toMatchObject({ status: 200, body: { is_valid: true } });
  expect(entriesOf(id)).toEqual([WHOLE]);
});

test('invariant 5: a failed write gets 503, and an immediate retry stores the whole entry', async () => {
  const id = randomUUID();
  fault('fail-one-write');
  expect(await send(id)).toMatchObject({ status: 503 });
  expect(entriesOf(id)).toEqual([]);
  expect(await send(id)).toMatchObject({ status: 200, body: { is_valid: true } });
  expect(entriesOf(id)).toEqual([WHOLE]);
});

test('invariant 5: a slow request whose claim was taken over stores no second entry', async () => {
  const id = randomUUID();
  fault('pause');
  const slow = send(id);
  await expect.poll(() => existsSync(place('paused'))).toBe(true);
  letTimePass();
  expect(await send(id)).toMatchObject({ status: 200, body: { is_valid: true } });
  fault('go');
  expect(await slow).toMatchObject({ status: 503 });
  expect(entriesOf(id)).toEqual([WHOLE]);
  expect(await send(id)).toMatchObject({ status: 200, body: { is_valid: true } });
  expect(entriesOf(id)).toEqual([WHOLE]);
});

test('invariant 5: copies of a sign-up get 503 while it is being stored, and one entry results', async () => {
  const id = randomUUID();
  fault('pause');
  const first = send(id);
  await expect.poll(() => existsSync(place('paused'))).toBe(true);
  const [second, third] = [await send(id), await send(id)];
  fault('go');
  expect([second.status, third.status]).toEqual([503, 503]);
  expect(await first).toMatchObject({ status: 200, body: { is_valid: true } });
  expect(entriesOf(id)).toEqual([WHOLE]);
  expect(await send(id)).toMatchObject({ status: 200, body: { is_valid: true } });
  expect(entriesOf(id)).toEqual([WHOLE]);
});
