import { afterEach, expect, test, vi } from 'vitest';
import { createEmitter } from './emitter.ts';

afterEach(() => vi.unstubAllGlobals());

test('a listener that throws is reported and stops no other', () => {
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

test('a listener that ends its subscription hears no more, and one that comes meanwhile waits for the next change', () => {
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
