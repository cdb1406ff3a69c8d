import { afterEach, expect, test, vi } from 'vitest';
import { createEmitter } from './emitter.ts';

afterEach(() => vi.unstubAllGlobals());

test('a listener that throws is reported; the other listeners are still called', () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const { subscribe, emit } = createEmitter();
  const after = vi.fn();
  const broken = new Error('broken');
  subscribe(() => {
    throw broken;
  });
  subscribe(after);
  emit();
  expect(reported).toHaveBeenCalledExactlyOnceWith(broken);
  expect(after).toHaveBeenCalledOnce();
});

test('an unsubscribed listener is not called, and one added during a change waits for the next change', () => {
  const { subscribe, emit } = createEmitter();
  const late = vi.fn();
  const once = vi.fn(() => {
    off();
    subscribe(late);
  });
  const off = subscribe(once);
  emit();
  expect(late).not.toHaveBeenCalled();
  emit();
  expect(once).toHaveBeenCalledOnce();
  expect(late).toHaveBeenCalledOnce();
});
