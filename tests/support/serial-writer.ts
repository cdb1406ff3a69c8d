import { createSqliteStore } from '@pillion/sign-ups/store/sqlite-store.ts';

/** A process that stores fifty sign-ups, each after the one before was acknowledged, and reports the times. */
const [directory = ''] = process.argv.slice(2);
const store = createSqliteStore(directory);
await store.stats();
console.log('begin');
for (let id = 0; id < 50; id++)
  await store.add({
    signUpId: String(id),
    formId: 1,
    state: 'waiting',
    payload: Buffer.alloc(200),
    digest: 'd',
    consentText: null,
    consent: [],
    createdAt: Date.now(),
    note: null,
    copies: [],
  });
console.log('done');
await store.close();
