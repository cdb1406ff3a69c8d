import { expect, onTestFinished, test } from 'vitest';
import { broken, startFakeWordpress } from '../testing/fake-wordpress.ts';
import { createRest, PushFailed } from './rest.ts';

test('a connection that breaks during a response is a failure with the address', async () => {
  const wordpress = await startFakeWordpress();
  onTestFinished(wordpress.stop);
  wordpress.plays.set('*', broken);
  const failed = await createRest({ url: wordpress.url, user: 'a', password: 'b' })
    .get('/wp/v2/pages')
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(PushFailed);
  expect(String(failed)).toContain(wordpress.url);
});
